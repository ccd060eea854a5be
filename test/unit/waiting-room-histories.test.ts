import fc from 'fast-check';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PolicyPatch } from '../../src/waiting-room/index.js';
import { createRoomDatabase, openRoomInProcess, type RoomInProcess } from '../support/in-process.js';
import { LineModel } from '../support/line-model.js';
import { makeMemoryDirectory } from '../support/memory-directory.js';

const START_MS = Date.UTC(2026, 10, 15, 9);
const SECOND_MS = 1000;
const FORGOTTEN_MS = 2 * 3600 * SECOND_MS + SECOND_MS;
const USERS = ['ada', 'ben', 'cho', 'dan', 'eva', 'fay', 'gil', 'han'];
const HISTORIES = 250;

type Step =
  | { readonly do: 'join'; readonly users: readonly string[] }
  | { readonly do: 'poll' | 'leave' | 'consumePlace'; readonly pick: number }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'policy'; readonly patch: PolicyPatch }
  | { readonly do: 'tidy' | 'restart' | 'forget' };

const seconds = (max: number) => fc.integer({ min: 1, max });
/** Whole seconds often: what ends at an instant is looked at in that instant. */
const ms = fc.oneof(
  seconds(15).map((count) => count * SECOND_MS),
  fc.integer({ min: 1, max: 15_000 }),
);
const patch: fc.Arbitrary<PolicyPatch> = fc.oneof(
  fc.record({ maxActive: fc.option(fc.nat({ max: 4 })) }),
  fc.record({ idleSeconds: fc.option(seconds(20)) }),
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
    arbitrary: fc.record({ do: fc.constantFrom('tidy' as const, 'restart' as const, 'restart' as const) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const) }) },
);

/** The room under test beside the model; both take every step. */
class History {
  readonly #file: string;
  readonly #model: LineModel;
  #room: RoomInProcess;

  constructor(file: string, model: LineModel, room: RoomInProcess) {
    this.#file = file;
    this.#model = model;
    this.#room = room;
  }

  static async begin(directory: string, policy: PolicyPatch): Promise<History> {
    const file = join(directory, 'foyer.db');
    const model = new LineModel(START_MS, policy);
    await createRoomDatabase(file, USERS, policy, START_MS);
    return new History(file, model, await openRoomInProcess(file, () => model.nowMs));
  }

  async take(step: Step): Promise<void> {
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
        // Whether a place that has just run out by the old rule comes back by the new one is a test of its own.
        await this.#room.room.maintenance.admitDue();
        model.admit();
        model.changePolicy(step.patch);
        await this.#room.changePolicy(step.patch);
        return;
      case 'tidy':
        await this.#room.room.maintenance.admitDue();
        model.admit();
        return;
      case 'restart':
        return this.#restart();
      case 'forget':
        return this.#forget();
    }
  }

  /** All at once: they share one transaction. The order among them is the one of their numbers. */
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
      // Somebody who is in the line already is answered as they stand; a slot that came free is not theirs to fill.
      if (before) expect(body.token).toBe(before.token);
      else expect(body).toMatchObject(model.describe(model.liveOf(user)!).body);
    }
  }

  async #act(what: 'poll' | 'leave' | 'consumePlace', pick: number): Promise<void> {
    const model = this.#model;
    const place = model.pick(pick);
    if (!place) return;
    if (what !== 'consumePlace') model.touch(place.user);
    if (what === 'poll') {
      const outcome = await this.#room.poll(place.token);
      model.admit();
      expect(outcome).toMatchObject(model.describe(place));
    } else if (what === 'leave') {
      model.leave(place);
      expect(await this.#room.leave(place.token)).toMatchObject({ status: 204 });
    } else {
      const expected = model.consumePlace(place);
      expect(await this.#room.consumePlace(place.token)).toMatchObject(expected);
    }
  }

  /** The scheduler had its turn before: a place whose idle time ran out while nobody looked is written down as such. */
  async #restart(): Promise<void> {
    await this.#room.room.maintenance.admitDue();
    this.#model.admit();
    await this.#room.close();
    this.#room = await openRoomInProcess(this.#file, () => this.#model.nowMs);
    this.#model.restarted();
  }

  async #forget(): Promise<void> {
    this.#model.nowMs += FORGOTTEN_MS;
    await this.#room.room.maintenance.admitDue();
    this.#model.admit();
    this.#model.nowMs += FORGOTTEN_MS;
    await this.#room.room.maintenance.purgeEnded();
    this.#model.forget();
  }

  /** Everything that can be asked about the room says what the model says. Looking lets in whoever may be let in. */
  async check(): Promise<void> {
    const model = this.#model;
    const { places } = model;
    const seen = [];
    for (const { token } of places) seen.push(await this.#room.look(token));
    if (places.length > 0) model.admit();
    const wanted = places.map((place) => model.describe(place));
    expect(seen.map(shown)).toEqual(wanted.map(shown));
    const entered = [];
    for (const { token } of places) entered.push((await this.#room.enter(token)).body.reason ?? 'IN');
    expect(entered).toEqual(places.map((place) => model.enter(place)));
    expect(await this.#room.room.statsOf('a-concert')).toMatchObject(model.stats());
    expect(model.ranksThatGrew()).toEqual([]);
  }

  close(): Promise<void> {
    return this.#room.close();
  }
}

const numberOf = (token: string): number =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).num;

const shown = ({ status, body }: { status: number; body: Record<string, unknown> }) =>
  status === 200
    ? [body['status'], body['rank'], body['ahead'], body['joinedAt'], body['activatedAt'], body['expiresAt']]
    : [status, body['reason']];

describe('the waiting room', () => {
  it(
    'agrees with a plain list of places after every step of any history, restarts included',
    { timeout: 120_000 },
    async () => {
      let steps = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(patch, { maxLength: 3 }),
          fc.array(step, { minLength: 30, maxLength: 40, size: 'max' }),
          async (patches, history) => {
            const directory = makeMemoryDirectory();
            const policy = Object.assign({ maxActive: 2, idleSeconds: 10, activeSeconds: 30 }, ...patches);
            const line = await History.begin(directory, policy);
            try {
              for (const each of history) {
                await line.take(each);
                await line.check();
                steps += 1;
              }
            } finally {
              await line.close();
              rmSync(directory, { recursive: true });
            }
          },
        ),
        { numRuns: HISTORIES, interruptAfterTimeLimit: 100_000 },
      );
      expect(steps).toBeGreaterThanOrEqual(HISTORIES * 30);
    },
  );
});
