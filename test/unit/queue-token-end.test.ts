import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { statement } from '../../src/platform/sql/index.js';
import {
  CONCERT,
  createWaitingRoomDatabase,
  type InProcessWaitingRoom,
  openWaitingRoomInProcess,
} from '../support/in-process-waiting-room.js';
import { eventually } from '../support/sale.js';

const START_MS = Date.UTC(2026, 10, 15, 9);
const RETENTION_MS = 2 * 60 * 60 * 1000;

let directory: string;
let nowMs: number;
let room: InProcessWaitingRoom;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'foyer-token-end-'));
  nowMs = START_MS;
  const file = join(directory, 'foyer.db');
  const policy = { maxActive: 1, idleSeconds: null };
  await createWaitingRoomDatabase(file, ['ada', 'ben'], policy, nowMs);
  room = await openWaitingRoomInProcess(file, () => nowMs);
});
afterEach(async () => {
  await room.close();
  await rm(directory, { recursive: true });
});

const tokenOf = async (userId: string): Promise<string> => {
  const { body } = await room.join(userId);
  return (body as { token: string }).token;
};
const denialOf = async (token: string): Promise<unknown> => {
  const claim = room.waitingRoom.identifyPlace(token);
  if (!claim) throw new Error('not a valid queue token');
  return (await room.waitingRoom.findDenial(claim))?.extra['reason'];
};

const closedRows = statement<[], { id: string }>(
  'list_closed_rows',
  `SELECT id FROM places WHERE status = 'CLOSED'`,
);
const sellEverySeat = statement(
  'sell_every_test_seat',
  `UPDATE seats SET status = 'SOLD', reservation_id = 'r'`,
);

describe('a queue token', () => {
  it('serves while its place is live, however long', async () => {
    const token = await tokenOf('ada');
    nowMs += 60_000;
    expect(await denialOf(token)).toBeUndefined();
  });

  it.each(['consumed', 'left while waiting'])(
    'ends as long after its place was %s as ended places are remembered',
    async (how) => {
      const first = await tokenOf('ada');
      const second = await tokenOf('ben');
      const token = how === 'consumed' ? first : second;
      const { status } = await (how === 'consumed' ? room.consumePlace(token) : room.leave(token));
      expect(status).toBeLessThan(300);
      nowMs += RETENTION_MS - 1;
      expect(await denialOf(token)).toBeUndefined();
      nowMs += 1;
      // Before and after the job that deletes the place.
      expect(await denialOf(token)).toBe('EXPIRED');
      nowMs += 1;
      await room.waitingRoom.maintenance.purgeEnded();
      expect(await denialOf(token)).toBe('EXPIRED');
    },
  );

  it.each(['consumed', 'left while active', 'left while waiting'])(
    'gives up a place that was %s without asking the database',
    async (how) => {
      const first = await tokenOf('ada');
      const second = await tokenOf('ben');
      const token = how === 'left while waiting' ? second : first;
      await (how === 'consumed' ? room.consumePlace(token) : room.leave(token));
      const before = room.storeCalls();
      expect((await room.leave(token)).status).toBe(204);
      expect(room.storeCalls() - before).toBe(0);
    },
  );

  it('ends on the fast path as long after the sale sold out as ended places are remembered', async () => {
    await tokenOf('ada');
    const token = await tokenOf('ben');
    const statusFromMemory = (): string | undefined => room.waitingRoom.pollFastPath.answer(token)?.status;
    expect(statusFromMemory()).toBe('WAITING');
    await room.sql.transaction((tx) => tx.exec(sellEverySeat, []));
    await room.waitingRoom.closing.close(CONCERT);
    await eventually(
      () => room.sql.reader.all(closedRows, []),
      (rows) => rows.length === 1,
    );
    nowMs += RETENTION_MS - 1;
    expect(statusFromMemory()).toBe('CLOSED');
    nowMs += 1;
    expect(statusFromMemory()).toBeUndefined();
    expect(await denialOf(token)).toBe('EXPIRED');
  });
});
