import { checkPaidPlaces } from './check-booking.js';
import { checkClosing, checkSoldOutClosed } from './check-closing.js';
import { checkMoney, checkMoneyChanges } from './check-money.js';
import { checkQueue, checkQueueChanges, checkSettled, rankIn } from './check-queue.js';
import { checkResponses } from './check-responses.js';
import { checkHoldChanges, checkSeats } from './check-seats.js';
import { checkSoldOut } from './check-sold-out.js';
import { bodyOf, ClientLog, type SentRequest } from './client-log.js';
import { waitTicks } from './event-loop.js';
import type { Action, Burst, History, TimedAction } from './history.js';
import { checkInvariant, InvariantViolation } from './invariant-violation.js';
import type { ObservedBurst } from './observed-burst.js';
import { PlaceEndModel } from './place-end-model.js';
import { type Request, toRequest } from './requests.js';
import type { Sabotage } from './sabotage.js';
import { START_MS } from './sale-fixture.js';
import { SimulatedProcess } from './simulated-process.js';
import { TableReader, type Tables } from './tables.js';
import { describeRequest, type Trace } from './trace.js';

/** Iterations of the event loop after which background work of the engine has finished. */
const QUIET_TICKS = 4;

/** What each of the first fans charges their wallet with. */
const FIRST_CHARGE = 400;

const burstOf = (...actions: readonly Action[]): Burst => ({
  waitMs: 0,
  actions: actions.map((action) => ({ action, ticksBefore: 0, msBefore: 0 })),
  crash: null,
  runsAdmission: true,
});

const arrive = (fan: string): Action[] => [
  { kind: 'join', fan },
  { kind: 'charge', fan, amount: FIRST_CHARGE, keyed: false },
];

interface Setup {
  readonly file: string;
  readonly sabotage: Sabotage | undefined;
  readonly trace: Trace;
  readonly clock: { nowMs: number };
  /** Errors that the engine reported, or threw instead of a refusal. */
  readonly errors: unknown[];
}

const startProcess = ({ file, clock, sabotage, errors }: Setup): Promise<SimulatedProcess> =>
  SimulatedProcess.start(
    file,
    () => clock.nowMs,
    sabotage,
    (error) => errors.push(error),
  );

/**
 * Runs one history on one database with a virtual clock: burst after burst of concurrent requests, with crashes and
 * restarts of the process. After each burst, all invariants are checked against the tables and the responses.
 */
export class Simulation {
  readonly #setup: Setup;
  readonly #trace: Trace;
  readonly #log = new ClientLog();
  readonly #placeEnds = new PlaceEndModel();
  readonly #clock: { nowMs: number };
  readonly #reader: TableReader;
  #process: SimulatedProcess;
  #tables: Tables;
  #step = 0;

  private constructor(setup: Setup, process: SimulatedProcess) {
    this.#setup = setup;
    this.#trace = setup.trace;
    this.#clock = setup.clock;
    this.#reader = new TableReader(setup.file);
    this.#tables = this.#reader.read(setup.clock.nowMs);
    this.#process = process;
  }

  /** Throws `InvariantViolation` if the history violates an invariant. Writes what happens to the trace. */
  static async run(
    file: string,
    { policy, firstFans, bursts }: History,
    trace: Trace,
    sabotage?: Sabotage,
  ): Promise<void> {
    const setup = { file, sabotage, trace, clock: { nowMs: START_MS }, errors: [] };
    const simulation = new Simulation(setup, await startProcess(setup));
    try {
      await simulation.#runBurst(burstOf({ kind: 'policy', patch: policy }));
      await simulation.#runBurst(burstOf(...firstFans.flatMap(arrive)));
      for (const burst of bursts) await simulation.#runBurst(burst);
      await simulation.#runBurst(burstOf());
    } finally {
      await simulation.#process.kill();
      simulation.#reader.close();
    }
  }

  async #runBurst(burst: Burst): Promise<void> {
    const { actions, crash, runsAdmission } = burst;
    const before = this.#tables;
    const startStep = this.#step;
    this.#clock.nowMs += burst.waitMs;
    const startMs = this.#clock.nowMs;
    this.#trace.note(
      () => `after ${burst.waitMs} ms${crash ? `, crashes at ${crash.when} ${crash.count}` : ''}`,
    );
    this.#process.crashAt(crash);
    const requests = await this.#sendAll(actions, before);
    if (!this.#process.hasCrashed && runsAdmission) {
      await Promise.race([this.#process.engine.runAdmission(), this.#process.crashed]);
      await waitTicks(QUIET_TICKS);
    }
    for (const each of requests)
      this.#trace.note(() => `  +${each.atMs - startMs} ms ${describeRequest(each)}`);
    const isRestarted = crash !== null;
    if (isRestarted) {
      await this.#process.kill();
      this.#process = await startProcess(this.#setup);
    }
    for (const error of this.#setup.errors)
      throw new InvariantViolation('the engine reports no internal error', describeError(error));

    const after = (this.#tables = this.#reader.read(this.#clock.nowMs));
    const hasPolicyChange = requests.some(({ request }) => request.operation.kind === 'policy');
    const policies = hasPolicyChange ? [before.room, after.room] : [before.room];
    const endMs = this.#clock.nowMs;
    this.#placeEnds.observeBurst(before, after, requests, policies, endMs);
    const observed: ObservedBurst = {
      before,
      after,
      startStep,
      startMs,
      endMs,
      requests,
      log: this.#log,
      policies,
      placeEnds: this.#placeEnds,
    };
    await this.#check(observed, runsAdmission && !isRestarted);
    if (isRestarted) this.#placeEnds.observeRestart(after, this.#clock.nowMs);
    this.#trace.note(() => `  then ${summaryOf(after)}`);
  }

  /** Sends all requests without waiting for responses, then waits for all responses or for the crash. */
  async #sendAll(actions: readonly TimedAction[], tables: Tables): Promise<SentRequest[]> {
    const sent: SentRequest[] = [];
    const responses: Promise<void>[] = [];
    const context = {
      tables,
      tokens: new Map(this.#log.queueTokens),
      keyedRequests: [...this.#log.keyedRequests],
      nowMs: () => this.#clock.nowMs,
      newKey: () => `a-key-for-${String((this.#step += 1)).padStart(8, '0')}`,
    };
    for (const { action, ticksBefore, msBefore } of actions) {
      await waitTicks(ticksBefore);
      if (this.#process.hasCrashed) break;
      this.#clock.nowMs += msBefore;
      // The checks allow for one policy change and one move of the closing per burst.
      const isSingle = action.kind === 'policy' || action.kind === 'move closing';
      if (isSingle && sent.some(({ request }) => request.operation.kind === action.kind)) continue;
      const request = toRequest(action, context);
      if (!request) continue;
      const one: SentRequest = {
        request,
        step: (this.#step += 1),
        atMs: this.#clock.nowMs,
        response: undefined,
      };
      sent.push(one);
      this.#log.recordSent(one);
      responses.push(this.#send(request, one));
    }
    await Promise.race([Promise.all(responses), this.#process.crashed]);
    await waitTicks(QUIET_TICKS);
    return sent;
  }

  async #send(request: Request, sent: SentRequest): Promise<void> {
    const process = this.#process;
    try {
      const { status, body } = await request.send(process.engine);
      // A client never receives what a crashed process returns.
      if (process.hasCrashed) return;
      sent.response = { status, body, step: (this.#step += 1), atMs: this.#clock.nowMs };
    } catch (error) {
      if (!process.hasCrashed) this.#setup.errors.push(error);
    }
  }

  async #check(burst: ObservedBurst, isSettled: boolean): Promise<void> {
    const { after, requests, endMs } = burst;
    checkMoney(after);
    checkSeats(after, endMs);
    checkQueue(after);
    checkMoneyChanges(burst);
    checkHoldChanges(burst);
    checkQueueChanges(burst);
    checkPaidPlaces(burst);
    checkClosing(burst);
    for (const each of requests) this.#log.recordResponse(each);
    this.#log.checkNothingLost(after);
    checkPolicy(burst);
    checkResponses(burst);
    await checkSoldOut(this.#process.engine, burst);
    if (!isSettled) return;
    checkSettled(burst);
    checkSoldOutClosed(burst);
    await this.#checkRanks(burst);
  }

  /** Every rank that a poll returns equals a plain count over the tables. */
  async #checkRanks({ after, endMs, placeEnds }: ObservedBurst): Promise<void> {
    for (const place of after.places) {
      const token = this.#log.queueTokens.get(place.id);
      if (token === undefined) continue;
      const { body } = await this.#process.engine.peek('GET /queue-tokens/me', token);
      const isRankRight =
        body.rank === undefined ? place.status === 'LEFT' : body.rank === rankIn(after, place.id);
      checkInvariant('a rank is 1 + the number of WAITING places in front', isRankRight, () => [
        body,
        place,
        rankIn(after, place.id),
      ]);
      const known = this.#log.lastRanks.get(place.id);
      if (place.status === 'WAITING') {
        checkInvariant('a rank never increases', !known || body.rank <= known.rank, () => [body, known]);
        this.#log.lastRanks.set(place.id, { rank: body.rank, step: (this.#step += 1) });
      }
      const hasExpired = place.status === 'ACTIVE' && placeEnds.boundsOf(place).latestMs <= endMs;
      checkInvariant(
        'a poll returns the current status',
        hasExpired || (body.status ?? 'LEFT') === place.status,
        () => [body, place],
      );
    }
  }
}

const POLICY_CHANGE = 'a policy change is applied as requested';

/** The stored policy is the changed one, or still the old one if the change was not acknowledged. */
function checkPolicy({ before, after, requests }: ObservedBurst): void {
  const policyOf = ({ room }: Tables) => {
    const { concertId: _c, lastNumber: _l, admittedThrough: _a, movedAtMs: _m, ...rest } = room;
    const { closesAtMs: _e, soldOut: _o, closedThrough: _t, closedMarkedThrough: _n, ...limited } = rest;
    const { idleFromMs: _i, showUpFromMs: _s, paused, closeWhenSoldOut, ...policy } = limited;
    return { ...policy, paused: paused === 1, closeWhenSoldOut: closeWhenSoldOut === 1 };
  };
  const old = policyOf(before);
  const stored = JSON.stringify(policyOf(after));
  const change = requests.find(({ request }) => request.operation.kind === 'policy');
  const expected: object =
    change?.request.operation.kind === 'policy' ? { ...old, ...change.request.operation.patch } : old;
  const isApplied = stored === JSON.stringify(expected);
  const mayBeOld = change?.response === undefined && stored === JSON.stringify(old);
  checkInvariant(POLICY_CHANGE, isApplied || mayBeOld, () => [old, stored, change]);
  if (change?.response) {
    const returned = JSON.stringify({ ...expected, ...bodyOf(change.response) });
    checkInvariant(POLICY_CHANGE, returned === JSON.stringify(expected), () => [old, stored, returned]);
  }
}

const describeError = (error: unknown): string =>
  error instanceof Error ? `${error.name} ${error.message}` : String(error);

const summaryOf = ({ places, seats, wallets }: Tables): string =>
  [
    places.map(({ userId, status }) => `${userId} ${status}`),
    [...seats.values()].map(({ id, status }) => `${id} ${status}`),
    [...wallets.values()].map(({ userId, balance }) => `${userId} ${balance}`),
  ]
    .map((list) => list.join(', '))
    .join('; ');
