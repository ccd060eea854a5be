import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { statement } from '../../src/platform/sql/index.js';
import {
  CONCERT,
  createWaitingRoomDatabase,
  openWaitingRoomInProcess,
  SALE_MS,
} from '../support/in-process-waiting-room.js';
import { memoryDirectory } from '../support/memory-directory.js';
import { eventually } from '../support/sale.js';

const START_MS = Date.UTC(2026, 10, 15, 9);
const HOUR_MS = 3_600_000;
/** More than one batch of marking and of purging. */
const FANS = 2500;

describe('a sale that has closed', () => {
  const users = Array.from({ length: FANS }, (_, index) => `user${index + 1}`);

  async function openSale() {
    const file = join(memoryDirectory(), 'foyer.db');
    const clock = { nowMs: START_MS };
    await createWaitingRoomDatabase(file, users, { maxActive: 1 }, START_MS);
    const open = () => openWaitingRoomInProcess(file, () => clock.nowMs);
    const opened = { clock, room: await open(), tokens: [] as string[], restart };
    async function restart(): Promise<void> {
      await opened.room.close();
      opened.room = await open();
    }
    onTestFinished(() => opened.room.close());
    const joined = await Promise.all(users.map((user) => opened.room.join(user)));
    opened.tokens = joined.map(({ body }) => body.token as string);
    return opened;
  }

  /** How often these calls use the database. */
  async function costOf(opened: Awaited<ReturnType<typeof openSale>>, work: () => Promise<unknown>) {
    const before = opened.room.storeCalls();
    await work();
    return opened.room.storeCalls() - before;
  }

  const closedRows = statement<[], { id: string }>(
    'list_closed_rows',
    `SELECT id FROM places WHERE status = 'CLOSED'`,
  );
  const countMarked = async ({ room }: Awaited<ReturnType<typeof openSale>>): Promise<number> =>
    (await room.sql.reader.all(closedRows, [])).length;

  const statsOf = ({ room }: Awaited<ReturnType<typeof openSale>>) => room.waitingRoom.statsOf(CONCERT);

  it('answers polls from memory, before and after its end is stored', async () => {
    const opened = await openSale();
    const { clock, tokens } = opened;
    clock.nowMs = START_MS + SALE_MS;
    const pollSome = async (): Promise<void> => {
      for (const token of tokens.slice(1, 200))
        expect((await opened.room.poll(token)).body).toMatchObject({ status: 'CLOSED', rank: 0 });
    };
    expect(await costOf(opened, pollSome)).toBe(0);
    expect(await statsOf(opened)).toMatchObject({ waiting: 0, closed: FANS - 1 });
    await opened.room.waitingRoom.closing.closeDue();
    await pollSome();
    expect(await statsOf(opened)).toMatchObject({ waiting: 0, closed: FANS - 1 });
    await eventually(
      () => countMarked(opened),
      (count) => count === FANS - 1,
    );
    await opened.restart();
    expect(await costOf(opened, pollSome)).toBe(0);
  });

  it('costs no transaction and is purged completely', async () => {
    const opened = await openSale();
    const { clock } = opened;
    const jobs = async (): Promise<void> => {
      const { maintenance, closing } = opened.room.waitingRoom;
      await maintenance.admitDue();
      await closing.closeDue();
    };
    clock.nowMs = START_MS + SALE_MS;
    await jobs();
    await eventually(
      () => countMarked(opened),
      (count) => count === FANS - 1,
    );
    expect(await costOf(opened, jobs)).toBe(0);
    clock.nowMs += 3 * HOUR_MS;
    let runs = 1;
    while (await opened.room.waitingRoom.maintenance.purgeEnded()) runs += 1;
    expect(runs).toBe(Math.ceil(FANS / 1000));
    expect(await countMarked(opened)).toBe(0);
    // One read finds that there is nothing left.
    expect(await costOf(opened, () => opened.room.waitingRoom.maintenance.purgeEnded())).toBe(1);
    expect(await statsOf(opened)).toMatchObject({ waiting: 0, active: 0, closed: FANS - 1, expired: 1 });
    // Queues and ACTIVE places of all concerts, and nothing for this one.
    await opened.restart();
    expect(opened.room.storeCalls()).toBe(2);
  });
});
