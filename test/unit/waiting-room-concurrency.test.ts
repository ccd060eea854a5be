import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PolicyPatch } from '../../src/waiting-room/index.js';
import type { Outcome } from '../support/handlers.js';
import {
  CONCERT,
  createWaitingRoomDatabase,
  openWaitingRoomInProcess,
  type InProcessWaitingRoom,
} from '../support/in-process-waiting-room.js';
import { memoryDirectory } from '../support/memory-directory.js';
import { useStoppedTimers } from '../support/stopped-timers.js';

useStoppedTimers();

const START_MS = Date.UTC(2026, 10, 15, 9);

interface Fixture {
  readonly users: readonly string[];
  room: InProcessWaitingRoom;
  nowMs: number;
  restart(): Promise<void>;
}

const namesOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `user${index + 1}`);

/** Creates a waiting room with this many users and a clock that the test sets. */
async function createFixture(count: number, policy: PolicyPatch): Promise<Fixture> {
  const file = join(memoryDirectory(), 'foyer.db');
  const users = namesOf(count);
  await createWaitingRoomDatabase(file, users, policy, START_MS);
  const open = (): Promise<InProcessWaitingRoom> => openWaitingRoomInProcess(file, () => fixture.nowMs);
  const fixture: Fixture = {
    users,
    nowMs: START_MS,
    room: await openWaitingRoomInProcess(file, () => START_MS),
    async restart() {
      await fixture.room.close();
      fixture.room = await open();
    },
  };
  await fixture.restart();
  onTestFinished(() => fixture.room.close());
  return fixture;
}

const joinAll = ({ room, users }: Fixture): Promise<Outcome[]> =>
  Promise.all(users.map((user) => room.join(user)));

const tokensOf = (outcomes: readonly Outcome[]): string[] => outcomes.map(({ body }): string => body.token);

const peekAll = (room: InProcessWaitingRoom, tokens: readonly string[]): Promise<Outcome[]> =>
  Promise.all(tokens.map((token) => room.peek(token)));

const statusAndRank = ({ status, body }: Outcome): unknown =>
  status === 200 ? [body.status, body.rank] : [status, body.reason];

const countOf = (outcomes: readonly Outcome[], status: string): number =>
  outcomes.filter(({ body }) => body.status === status).length;

describe('a poll', () => {
  it('makes no database call for a WAITING or an ACTIVE place, before and after a restart', async () => {
    const fixture = await createFixture(20, { maxActive: 5 });
    const tokens = tokensOf(await joinAll(fixture));
    for (const when of ['before', 'after']) {
      if (when === 'after') await fixture.restart();
      const callsBefore = fixture.room.storeCalls();
      const polls: Outcome[] = [];
      for (const token of [...tokens, ...tokens]) polls.push(await fixture.room.poll(token));
      expect(countOf(polls, 'ACTIVE')).toBe(10);
      expect(countOf(polls, 'WAITING')).toBe(30);
      expect(fixture.room.storeCalls() - callsBefore, when).toBe(0);
    }
  });

  it('makes no database call until the period ends when its portion is used up', async () => {
    const fixture = await createFixture(6, { maxActive: null, admitCount: 2, admitEverySeconds: 10 });
    const tokens = tokensOf(await joinAll(fixture));
    await peekAll(fixture.room, tokens);
    const callsBefore = fixture.room.storeCalls();
    fixture.nowMs += 9999;
    const polls = await peekAll(fixture.room, tokens);
    expect(countOf(polls, 'ACTIVE')).toBe(2);
    expect(fixture.room.storeCalls() - callsBefore).toBe(0);
    fixture.nowMs += 1;
    expect(countOf(await peekAll(fixture.room, tokens), 'ACTIVE')).toBe(4);
    // A larger portion takes effect immediately, not in the next period.
    await fixture.room.changePolicy({ admitCount: 3 });
    expect(countOf(await peekAll(fixture.room, tokens), 'ACTIVE')).toBe(5);
  });

  it('admits the next fan into a free slot and moves the others up', async () => {
    const fixture = await createFixture(4, { maxActive: 1, idleSeconds: null, activeSeconds: 60 });
    const tokens = tokensOf(await joinAll(fixture));
    fixture.nowMs += 60_000;
    const polls: Outcome[] = [];
    for (const token of tokens) polls.push(await fixture.room.peek(token));
    expect(polls.map(statusAndRank)).toEqual([
      ['EXPIRED', 0],
      ['ACTIVE', 0],
      ['WAITING', 1],
      ['WAITING', 2],
    ]);
  });
});

describe('a used-up portion', () => {
  it('does not stop admission after a policy change, if the admission that found it reports late', async () => {
    const fixture = await createFixture(3, { maxActive: 3, admitCount: 2, admitEverySeconds: 3600 });
    const [first = '', , third = ''] = tokensOf(await joinAll(fixture));
    // A process that has just started does not know that the portion is used up.
    await fixture.restart();
    const { committed, release } = fixture.room.holdNextEffects();
    const late = fixture.room.poll(third);
    await committed;
    await fixture.room.changePolicy({ maxActive: 2, admitCount: null, admitEverySeconds: null });
    release();
    await late;
    await fixture.room.leave(first);
    expect((await fixture.room.poll(third)).body).toMatchObject({ status: 'ACTIVE' });
  });
});

describe('users who join concurrently', () => {
  it('get consecutive ranks, one per user, however often each user joins', async () => {
    const fixture = await createFixture(700, { maxActive: 0 });
    // Each user joins three times concurrently; joins of one user may share a transaction.
    const [first, second, third] = await Promise.all([
      joinAll(fixture),
      joinAll({ ...fixture, users: [...fixture.users].reverse() }).then((answers) => answers.reverse()),
      joinAll(fixture),
    ]);
    const ranks = first.map(({ body }): number => body.rank);
    expect([...ranks].sort((a, b) => a - b)).toEqual(fixture.users.map((_, index) => index + 1));
    for (const [index, { body }] of first.entries()) {
      const asks = [first[index]!, second[index]!, third[index]!];
      expect(asks.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
      expect(new Set(tokensOf(asks))).toEqual(new Set([body.token]));
    }
    await fixture.restart();
    const after = await peekAll(fixture.room, tokensOf(first));
    expect(after.map(({ body }): number => body.rank)).toEqual(ranks);
  });

  it('are all admitted when there is no limit', async () => {
    const fixture = await createFixture(2500, { maxActive: null, paused: true });
    const tokens = tokensOf(await joinAll(fixture));
    await fixture.room.changePolicy({ paused: false });
    expect((await fixture.room.poll(tokens[2499]!)).body).toMatchObject({ status: 'ACTIVE' });
    expect(countOf(await peekAll(fixture.room, tokens), 'ACTIVE')).toBe(2500);
  });

  it('are admitted in order up to maxActive after most of them have left', async () => {
    const fixture = await createFixture(1500, { maxActive: 7, paused: true });
    const tokens = tokensOf(await joinAll(fixture));
    await Promise.all(
      tokens.filter((_, index) => index % 50 !== 49).map((token) => fixture.room.leave(token)),
    );
    await fixture.room.changePolicy({ paused: false });
    const remaining = tokens.filter((_, index) => index % 50 === 49);
    await fixture.room.poll(remaining[0]!);
    await fixture.restart();
    const standings = (await peekAll(fixture.room, remaining)).map(statusAndRank);
    expect(standings).toEqual(
      remaining.map((_, index) => (index < 7 ? ['ACTIVE', 0] : ['WAITING', index - 6])),
    );
  });
});

describe('an expired place', () => {
  it('is replaced by a new place when its user joins again, however many places expired', async () => {
    const fixture = await createFixture(1200, { maxActive: null, activeSeconds: 60, idleSeconds: null });
    const before = tokensOf(await joinAll(fixture));
    fixture.nowMs += 60_000;
    const again: Outcome[] = [];
    for (const user of [...fixture.users].reverse().slice(0, 3)) again.push(await fixture.room.join(user));
    expect(again.map(({ status, body }) => [status, body.status])).toEqual([
      [201, 'ACTIVE'],
      [201, 'ACTIVE'],
      [201, 'ACTIVE'],
    ]);
    expect(before).not.toContain(again[0]!.body.token);
  });

  it('stays EXPIRED when its user leaves', async () => {
    const fixture = await createFixture(1, { idleSeconds: 10 });
    const [token = ''] = tokensOf(await joinAll(fixture));
    fixture.nowMs += 10_000;
    expect((await fixture.room.peek(token)).body).toMatchObject({ status: 'EXPIRED' });
    expect(await fixture.room.leave(token)).toMatchObject({ status: 204 });
    expect(await fixture.room.peek(token)).toMatchObject({ status: 200, body: { status: 'EXPIRED' } });
    expect(await fixture.room.waitingRoom.statsOf(CONCERT)).toMatchObject({ expired: 1, left: 0 });
  });

  it('stays EXPIRED when idleSeconds is raised afterwards', async () => {
    const fixture = await createFixture(1, { idleSeconds: 10 });
    const [token = ''] = tokensOf(await joinAll(fixture));
    fixture.nowMs += 10_000;
    expect((await fixture.room.peek(token)).body).toMatchObject({ status: 'EXPIRED' });
    await fixture.room.changePolicy({ idleSeconds: 600 });
    expect((await fixture.room.peek(token)).body).toMatchObject({ status: 'EXPIRED' });
    expect(await fixture.room.checkGate(token)).toMatchObject({ status: 403, body: { reason: 'EXPIRED' } });
  });
});
