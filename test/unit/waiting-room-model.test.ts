import fc from 'fast-check';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PolicyPatch } from '../../src/waiting-room/index.js';
import {
  createWaitingRoomDatabase,
  openWaitingRoomInProcess,
  type InProcessWaitingRoom,
} from '../support/in-process-waiting-room.js';
import { QueueModel } from '../support/queue-model.js';
import { makeMemoryDirectory } from '../support/memory-directory.js';
import { useStoppedTimers } from '../support/stopped-timers.js';

const START_MS = Date.UTC(2026, 10, 15, 9);
const SECOND_MS = 1000;
const PURGE_AFTER_MS = 2 * 3600 * SECOND_MS + SECOND_MS;
const USERS = ['ada', 'ben', 'cho', 'dan', 'eva', 'fay', 'gil', 'han'];
const HISTORIES = 250;

type Step =
  | { readonly do: 'join'; readonly users: readonly string[] }
  | { readonly do: 'poll' | 'leave' | 'consumePlace'; readonly pick: number }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'policy'; readonly patch: PolicyPatch }
  | { readonly do: 'admit' | 'restart' | 'purge' };

const seconds = (max: number) => fc.integer({ min: 1, max });
/** Often whole seconds, so that checks fall exactly on the instant at which a place expires. */
const ms = fc.oneof(
  seconds(15).map((count) => count * SECOND_MS),
  fc.integer({ min: 1, max: 15_000 }),
);
const patch: fc.Arbitrary<PolicyPatch> = fc.oneof(
  fc.record({ maxActive: fc.option(fc.nat({ max: 4 })) }),
  fc.record({ idleSeconds: fc.option(seconds(20)) }),
  fc.record({ showUpSeconds: fc.option(seconds(20)) }),
  fc.record({ activeSeconds: seconds(60) }),
  fc.record({ paused: fc.boolean() }),
  fc.oneof(
    fc.constant({ admitCount: null, admitEverySeconds: null }),
    fc.record({ admitCount: seconds(3), admitEverySeconds: seconds(20) }),
  ),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('join' as const),
      users: fc.uniqueArray(fc.constantFrom(...USERS), { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom('poll' as const, 'leave' as const, 'consumePlace' as const),
      pick: fc.nat({ max: 1000 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('policy' as const), patch }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('admit' as const, 'restart' as const, 'restart' as const) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('purge' as const) }) },
);

/** Applies every step to the waiting room and to the model, and compares the two. */
class ModelComparison {
  readonly #file: string;
  readonly #model: QueueModel;
  #room: InProcessWaitingRoom;

  constructor(file: string, model: QueueModel, room: InProcessWaitingRoom) {
    this.#file = file;
    this.#model = model;
    this.#room = room;
  }

  static async begin(directory: string, policy: PolicyPatch): Promise<ModelComparison> {
    const file = join(directory, 'foyer.db');
    const model = new QueueModel(START_MS, policy);
    await createWaitingRoomDatabase(file, USERS, policy, START_MS);
    return new ModelComparison(file, model, await openWaitingRoomInProcess(file, () => model.nowMs));
  }

  async apply(step: Step): Promise<void> {
    const model = this.#model;
    switch (step.do) {
      case 'join':
        return this.#join(step.users);
      case 'poll':
      case 'leave':
      case 'consumePlace':
        return this.#act(step.do, step.pick);
      case 'wait':
        model.nowMs += step.ms;
        return;
      case 'policy':
        // Expire places by the old policy first; that they stay expired under the new one is tested separately.
        await this.#room.waitingRoom.maintenance.admitDue();
        model.admit();
        model.changePolicy(step.patch);
        await this.#room.changePolicy(step.patch);
        return;
      case 'admit':
        await this.#room.waitingRoom.maintenance.admitDue();
        model.admit();
        return;
      case 'restart':
        return this.#restart();
      case 'purge':
        return this.#purge();
    }
  }

  /** Joins concurrently, in one transaction. The model takes the order of the assigned numbers. */
  async #join(users: readonly string[]): Promise<void> {
    const model = this.#model;
    for (const user of users) model.touch(user);
    const expected = new Map(users.map((user) => [user, model.liveOf(user)]));
    const answers = await Promise.all(
      users.map(async (user) => ({ user, ...(await this.#room.join(user)) })),
    );
    const joined = answers.filter(({ user }) => !expected.get(user));
    joined.sort((a, b) => numberOf(a.body.token) - numberOf(b.body.token));
    for (const { user, body } of joined) model.join(user, body.token, numberOf(body.token));
    if (joined.length > 0) model.admit();
    for (const { user, status, body } of answers) {
      const before = expected.get(user);
      expect(status).toBe(before ? 200 : 201);
      // Joining again returns the existing place as it is; unlike a poll, it admits no one.
      if (before) expect(body.token).toBe(before.token);
      else expect(body).toMatchObject(model.pollOutcome(model.liveOf(user)!).body);
    }
  }

  async #act(what: 'poll' | 'leave' | 'consumePlace', pick: number): Promise<void> {
    const model = this.#model;
    const place = model.placeAt(pick);
    if (!place) return;
    if (what !== 'consumePlace') model.touch(place.user);
    if (what === 'poll') {
      const outcome = await this.#room.poll(place.token);
      const before = model.pollOutcome(place);
      model.admit();
      const after = model.pollOutcome(place);
      // A poll waits for the admission of its own fan only, so the ranks may be those before the admission.
      const isAdmitted = after.body['status'] !== before.body['status'];
      expect(outcome).toMatchObject(isAdmitted || outcome.body.rank === after.body['rank'] ? after : before);
      await this.#room.waitingRoom.maintenance.admitDue();
    } else if (what === 'leave') {
      model.leave(place);
      expect(await this.#room.leave(place.token)).toMatchObject({ status: 204 });
    } else {
      const expected = model.consumePlace(place);
      expect(await this.#room.consumePlace(place.token)).toMatchObject(expected);
    }
  }

  /** Expires idle places before the restart: afterwards every ACTIVE place counts as just seen. */
  async #restart(): Promise<void> {
    await this.#room.waitingRoom.maintenance.admitDue();
    this.#model.admit();
    await this.#room.waitingRoom.flushAllLastSeen();
    await this.#room.close();
    this.#room = await openWaitingRoomInProcess(this.#file, () => this.#model.nowMs);
    this.#model.restart();
  }

  async #purge(): Promise<void> {
    this.#model.nowMs += PURGE_AFTER_MS;
    await this.#room.waitingRoom.maintenance.admitDue();
    this.#model.admit();
    this.#model.nowMs += PURGE_AFTER_MS;
    await this.#room.waitingRoom.maintenance.purgeEnded();
    this.#model.purgeEnded();
  }

  /** Compares every response with the model, after the admissions that are due. */
  async check(): Promise<void> {
    const model = this.#model;
    const { places } = model;
    await this.#room.waitingRoom.maintenance.admitDue();
    const seen = [];
    for (const { token } of places) seen.push(await this.#room.peek(token));
    model.admit();
    const expected = places.map((place) => model.pollOutcome(place));
    expect(seen.map(comparable)).toEqual(expected.map(comparable));
    const gateOutcomes = [];
    for (const { token } of places)
      gateOutcomes.push((await this.#room.checkGate(token)).body.reason ?? 'ADMITTED');
    expect(gateOutcomes).toEqual(places.map((place) => model.gateOutcome(place)));
    expect(await this.#room.waitingRoom.statsOf('a-concert')).toMatchObject(model.stats());
    expect(model.rankIncreases()).toEqual([]);
  }

  close(): Promise<void> {
    return this.#room.close();
  }
}

const numberOf = (token: string): number =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).num;

const comparable = ({ status, body }: { status: number; body: Record<string, unknown> }) =>
  status === 200
    ? [body['status'], body['rank'], body['ahead'], body['joinedAt'], body['activatedAt'], body['expiresAt']]
    : [status, body['reason']];

describe('the waiting room', () => {
  useStoppedTimers();

  it(
    'matches the model after every step of random histories with restarts',
    { timeout: 300_000 },
    async () => {
      let stepCount = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(patch, { maxLength: 3 }),
          fc.array(step, { minLength: 30, maxLength: 40, size: 'max' }),
          async (patches, steps) => {
            const directory = makeMemoryDirectory();
            const policy = Object.assign({ maxActive: 2, idleSeconds: 10, activeSeconds: 30 }, ...patches);
            const comparison = await ModelComparison.begin(directory, policy);
            try {
              for (const each of steps) {
                await comparison.apply(each);
                await comparison.check();
                stepCount += 1;
              }
            } finally {
              await comparison.close();
              rmSync(directory, { recursive: true });
            }
          },
        ),
        { numRuns: HISTORIES, interruptAfterTimeLimit: 280_000 },
      );
      expect(stepCount).toBeGreaterThanOrEqual(HISTORIES * 30);
    },
  );
});
