import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PolicyPatch } from '../../src/waiting-room/index.js';
import type { Outcome } from '../support/handlers.js';
import { CONCERT, createRoomDatabase, openRoomInProcess, type RoomInProcess } from '../support/in-process.js';
import { memoryDirectory } from '../support/memory-directory.js';

const START_MS = Date.UTC(2026, 10, 15, 9);

interface Crowd {
  readonly users: readonly string[];
  room: RoomInProcess;
  nowMs: number;
  restart(): Promise<void>;
}

const namesOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `user${index + 1}`);

/** A room with a crowd of users before its door, and a clock that a test sets. */
async function gather(count: number, policy: PolicyPatch): Promise<Crowd> {
  const file = join(memoryDirectory(), 'foyer.db');
  const users = namesOf(count);
  await createRoomDatabase(file, users, policy, START_MS);
  const open = (): Promise<RoomInProcess> => openRoomInProcess(file, () => crowd.nowMs);
  const crowd: Crowd = {
    users,
    nowMs: START_MS,
    room: await openRoomInProcess(file, () => START_MS),
    async restart() {
      await crowd.room.close();
      crowd.room = await open();
    },
  };
  await crowd.restart();
  onTestFinished(() => crowd.room.close());
  return crowd;
}

const joinAll = ({ room, users }: Crowd): Promise<Outcome[]> =>
  Promise.all(users.map((user) => room.join(user)));

const tokensOf = (outcomes: readonly Outcome[]): string[] => outcomes.map(({ body }): string => body.token);

const lookAll = (room: RoomInProcess, tokens: readonly string[]): Promise<Outcome[]> =>
  Promise.all(tokens.map((token) => room.look(token)));

const standingOf = ({ status, body }: Outcome): unknown =>
  status === 200 ? [body.status, body.rank] : [status, body.reason];

const countOf = (outcomes: readonly Outcome[], status: string): number =>
  outcomes.filter(({ body }) => body.status === status).length;

describe('a poll', () => {
  it('asks the store nothing, whether the place is WAITING or ACTIVE, before and after a restart', async () => {
    const crowd = await gather(20, { maxActive: 5 });
    const tokens = tokensOf(await joinAll(crowd));
    for (const when of ['before', 'after']) {
      if (when === 'after') await crowd.restart();
      const callsBefore = crowd.room.storeCalls();
      const polls: Outcome[] = [];
      for (const token of [...tokens, ...tokens]) polls.push(await crowd.room.poll(token));
      expect(countOf(polls, 'ACTIVE')).toBe(10);
      expect(countOf(polls, 'WAITING')).toBe(30);
      expect(crowd.room.storeCalls() - callsBefore, when).toBe(0);
    }
  });

  it('asks the store nothing while the period lasts whose portion is used up', async () => {
    const crowd = await gather(6, { maxActive: null, admitCount: 2, admitEverySeconds: 10 });
    const tokens = tokensOf(await joinAll(crowd));
    await lookAll(crowd.room, tokens);
    const callsBefore = crowd.room.storeCalls();
    crowd.nowMs += 9999;
    const polls = await lookAll(crowd.room, tokens);
    expect(countOf(polls, 'ACTIVE')).toBe(2);
    expect(crowd.room.storeCalls() - callsBefore).toBe(0);
    crowd.nowMs += 1;
    expect(countOf(await lookAll(crowd.room, tokens), 'ACTIVE')).toBe(4);
    // A larger portion counts at once, not from the next period on.
    await crowd.room.changePolicy({ admitCount: 3 });
    expect(countOf(await lookAll(crowd.room, tokens), 'ACTIVE')).toBe(5);
  });

  it('fills a free slot at once, and the others in line move up', async () => {
    const crowd = await gather(4, { maxActive: 1, idleSeconds: null, activeSeconds: 60 });
    const tokens = tokensOf(await joinAll(crowd));
    crowd.nowMs += 60_000;
    const [first, second, third, fourth] = await lookAll(crowd.room, tokens);
    expect([first, second, third, fourth].map((each) => standingOf(each!))).toEqual([
      ['EXPIRED', 0],
      ['ACTIVE', 0],
      ['WAITING', 1],
      ['WAITING', 2],
    ]);
  });
});

describe('a crowd that joins together', () => {
  it('is numbered without a gap, everybody once, however often they ask', async () => {
    const crowd = await gather(700, { maxActive: 0 });
    // Some ask again at once, and so in one transaction with themselves; all of them ask again a little later.
    const [once, twice, thrice] = await Promise.all([
      joinAll(crowd),
      joinAll({ ...crowd, users: [...crowd.users].reverse() }).then((answers) => answers.reverse()),
      joinAll(crowd),
    ]);
    const ranks = once.map(({ body }): number => body.rank);
    expect([...ranks].sort((a, b) => a - b)).toEqual(crowd.users.map((_, index) => index + 1));
    for (const [index, { body }] of once.entries()) {
      const asks = [once[index]!, twice[index]!, thrice[index]!];
      expect(asks.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
      expect(new Set(tokensOf(asks))).toEqual(new Set([body.token]));
    }
    await crowd.restart();
    const after = await lookAll(crowd.room, tokensOf(once));
    expect(after.map(({ body }): number => body.rank)).toEqual(ranks);
  });

  it('is let in all at once when everybody may come in', async () => {
    const crowd = await gather(2500, { maxActive: null, paused: true });
    const tokens = tokensOf(await joinAll(crowd));
    await crowd.room.changePolicy({ paused: false });
    expect((await crowd.room.poll(tokens[2499]!)).body).toMatchObject({ status: 'ACTIVE' });
    expect(countOf(await lookAll(crowd.room, tokens), 'ACTIVE')).toBe(2500);
  });

  it('is let in up to the limit and in order, also when far more leave than stay', async () => {
    const crowd = await gather(1500, { maxActive: 7, paused: true });
    const tokens = tokensOf(await joinAll(crowd));
    await Promise.all(tokens.filter((_, index) => index % 50 !== 49).map((token) => crowd.room.leave(token)));
    await crowd.room.changePolicy({ paused: false });
    const left = tokens.filter((_, index) => index % 50 === 49);
    await crowd.room.poll(left[0]!);
    await crowd.restart();
    const standings = (await lookAll(crowd.room, left)).map(standingOf);
    expect(standings).toEqual(left.map((_, index) => (index < 7 ? ['ACTIVE', 0] : ['WAITING', index - 6])));
  });
});

describe('a place whose time has run out', () => {
  it('is no live place: whoever had it joins anew, however many ran out together', async () => {
    const crowd = await gather(1200, { maxActive: null, activeSeconds: 60, idleSeconds: null });
    const before = tokensOf(await joinAll(crowd));
    crowd.nowMs += 60_000;
    const again: Outcome[] = [];
    for (const user of [...crowd.users].reverse().slice(0, 3)) again.push(await crowd.room.join(user));
    expect(again.map(({ status, body }) => [status, body.status])).toEqual([
      [201, 'ACTIVE'],
      [201, 'ACTIVE'],
      [201, 'ACTIVE'],
    ]);
    expect(before).not.toContain(again[0]!.body.token);
  });

  it('has expired and cannot be left any more', async () => {
    const crowd = await gather(1, { idleSeconds: 10 });
    const [token = ''] = tokensOf(await joinAll(crowd));
    crowd.nowMs += 10_000;
    expect((await crowd.room.look(token)).body).toMatchObject({ status: 'EXPIRED' });
    expect(await crowd.room.leave(token)).toMatchObject({ status: 204 });
    expect(await crowd.room.look(token)).toMatchObject({ status: 200, body: { status: 'EXPIRED' } });
    expect(await crowd.room.room.statsOf(CONCERT)).toMatchObject({ expired: 1, left: 0 });
  });

  it('stays gone when the promoter allows more idle time afterwards', async () => {
    const crowd = await gather(1, { idleSeconds: 10 });
    const [token = ''] = tokensOf(await joinAll(crowd));
    crowd.nowMs += 10_000;
    expect((await crowd.room.look(token)).body).toMatchObject({ status: 'EXPIRED' });
    await crowd.room.changePolicy({ idleSeconds: 600 });
    expect((await crowd.room.look(token)).body).toMatchObject({ status: 'EXPIRED' });
    expect(await crowd.room.enter(token)).toMatchObject({ status: 403, body: { reason: 'EXPIRED' } });
  });
});
