import { type Asked, Books, bodyOf } from './books.js';
import { Broken, keep } from './broken.js';
import { checkAnswers } from './check-answers.js';
import { checkPaidPlaces } from './check-booking.js';
import { checkLine, checkLineMoved, checkSettled, rankIn } from './check-line.js';
import { checkMoney, checkMoneyMoved } from './check-money.js';
import { checkHoldsMoved, checkSeats } from './check-seats.js';
import { checkSoldOut } from './check-sold-out.js';
import { START_MS } from './hall.js';
import type { Ask, Burst, History, TimedAsk } from './history.js';
import { Process } from './process.js';
import { PlaceEnds } from './place-ends.js';
import { type Request, toRequest } from './requests.js';
import type { Sabotage } from './sabotage.js';
import { TableReader, type Tables } from './tables.js';
import { describeAsked, type Trace } from './trace.js';
import { turns } from './turns.js';
import type { Window } from './window.js';

/** Turns of the event loop after which nothing is under way that nobody waits for. */
const QUIET_TURNS = 4;

/** What everybody of the first crowd brings along. */
const WALLET = 400;

const calm = (...asks: readonly Ask[]): Burst => ({
  waitMs: 0,
  asks: asks.map((ask) => ({ ask, turns: 0, ms: 0 })),
  death: null,
  settles: true,
});

const toArrive = (fan: string): Ask[] => [
  { do: 'join', fan },
  { do: 'charge', fan, amount: WALLET, keyed: false },
];

interface Start {
  readonly file: string;
  readonly sabotage: Sabotage | undefined;
  readonly trace: Trace;
  readonly clock: { nowMs: number };
  /** What the engine could not cope with. */
  readonly faults: unknown[];
}

const startProcess = ({ file, clock, sabotage, faults }: Start): Promise<Process> =>
  Process.start(
    file,
    () => clock.nowMs,
    sabotage,
    (error) => faults.push(error),
  );

/** One history on one database, through as many lives of the process as it takes. */
export class Simulation {
  readonly #start: Start;
  readonly #trace: Trace;
  readonly #books = new Books();
  readonly #ends = new PlaceEnds();
  readonly #clock: { nowMs: number };
  readonly #reader: TableReader;
  #process: Process;
  #tables: Tables;
  #turn = 0;

  private constructor(start: Start, process: Process) {
    this.#start = start;
    this.#trace = start.trace;
    this.#clock = start.clock;
    this.#reader = new TableReader(start.file);
    this.#tables = this.#reader.read();
    this.#process = process;
  }

  /** Runs a history on this file and throws `Broken` when a promise is. What happened is written to the trace. */
  static async run(
    file: string,
    { policy, crowd, bursts }: History,
    trace: Trace,
    sabotage?: Sabotage,
  ): Promise<void> {
    const start = { file, sabotage, trace, clock: { nowMs: START_MS }, faults: [] };
    const simulation = new Simulation(start, await startProcess(start));
    try {
      await simulation.#burst(calm({ do: 'policy', patch: policy }));
      await simulation.#burst(calm(...crowd.flatMap(toArrive)));
      for (const burst of bursts) await simulation.#burst(burst);
      await simulation.#burst(calm());
    } finally {
      await simulation.#process.end();
      simulation.#reader.close();
    }
  }

  async #burst(burst: Burst): Promise<void> {
    const { asks, death, settles } = burst;
    const before = this.#tables;
    const startTurn = this.#turn;
    this.#clock.nowMs += burst.waitMs;
    const startMs = this.#clock.nowMs;
    this.#trace.note(
      () => `after ${burst.waitMs} ms${death ? `, dies at ${death.when} ${death.count}` : ''}`,
    );
    this.#process.dieAt(death);
    const asked = await this.#askAll(asks, before);
    if (!this.#process.isDead && settles) {
      await Promise.race([this.#process.life.moveLines(), this.#process.death]);
      await turns(QUIET_TURNS);
    }
    for (const each of asked) this.#trace.note(() => `  +${each.atMs - startMs} ms ${describeAsked(each)}`);
    const isRestarted = death !== null;
    if (isRestarted) {
      await this.#process.end();
      this.#process = await startProcess(this.#start);
    }
    for (const fault of this.#start.faults) throw new Broken('the engine does not fail', describe(fault));

    const after = (this.#tables = this.#reader.read());
    const isChanged = asked.some(({ request }) => request.wish.kind === 'policy');
    const policies = isChanged ? [before.room, after.room] : [before.room];
    const endMs = this.#clock.nowMs;
    this.#ends.follow(before, after, asked, policies, endMs);
    const window: Window = {
      before,
      after,
      startTurn,
      startMs,
      endMs,
      asked,
      books: this.#books,
      policies,
      ends: this.#ends,
    };
    await this.#check(window, settles && !isRestarted);
    if (isRestarted) this.#ends.restarted(after, this.#clock.nowMs);
    this.#trace.note(() => `  then ${summaryOf(after)}`);
  }

  /** Asks without waiting for answers, and then waits until all have been given or the process is dead. */
  async #askAll(asks: readonly TimedAsk[], tables: Tables): Promise<Asked[]> {
    const asked: Asked[] = [];
    const answers: Promise<void>[] = [];
    const known = {
      tables,
      tokens: new Map(this.#books.tokens),
      keyed: [...this.#books.keyed],
      newKey: () => `a-key-for-${String((this.#turn += 1)).padStart(8, '0')}`,
    };
    for (const { ask, turns: between, ms } of asks) {
      await turns(between);
      if (this.#process.isDead) break;
      this.#clock.nowMs += ms;
      const isSecondPolicy = asked.some(({ request }) => request.wish.kind === 'policy');
      if (ask.do === 'policy' && isSecondPolicy) continue;
      const request = toRequest(ask, known);
      if (!request) continue;
      const one: Asked = { request, turn: (this.#turn += 1), atMs: this.#clock.nowMs, answer: undefined };
      asked.push(one);
      this.#books.ask(one);
      answers.push(this.#send(request, one));
    }
    await Promise.race([Promise.all(answers), this.#process.death]);
    await turns(QUIET_TURNS);
    return asked;
  }

  async #send(request: Request, asked: Asked): Promise<void> {
    const process = this.#process;
    try {
      const { status, body } = await request.send(process.life);
      // Nobody hears what a dead process says.
      if (process.isDead) return;
      asked.answer = { status, body, turn: (this.#turn += 1), atMs: this.#clock.nowMs };
    } catch (error) {
      if (!process.isDead) this.#start.faults.push(error);
    }
  }

  async #check(window: Window, isSettled: boolean): Promise<void> {
    const { after, asked, endMs } = window;
    checkMoney(after);
    checkSeats(after, endMs);
    checkLine(after);
    checkMoneyMoved(window);
    checkHoldsMoved(window);
    checkLineMoved(window);
    checkPaidPlaces(window);
    for (const each of asked) this.#books.acknowledge(each);
    this.#books.checkKept(after);
    checkPolicy(window);
    checkAnswers(window);
    await checkSoldOut(this.#process.life, window);
    if (!isSettled) return;
    checkSettled(window);
    await this.#checkRanks(window);
  }

  /** Everybody who asks hears what a plain count of the line says. */
  async #checkRanks({ after, endMs, ends }: Window): Promise<void> {
    for (const place of after.places) {
      const token = this.#books.tokens.get(place.id);
      if (token === undefined) continue;
      const { body } = await this.#process.life.look('GET /queue-tokens/me', token);
      const isRight =
        body.rank === undefined ? place.status === 'LEFT' : body.rank === rankIn(after, place.id);
      keep('a rank is 1 + those waiting in front', isRight, () => [body, place, rankIn(after, place.id)]);
      const known = this.#books.ranks.get(place.id);
      if (place.status === 'WAITING') {
        keep('a rank never grows', !known || body.rank <= known.rank, () => [body, known]);
        this.#books.ranks.set(place.id, { rank: body.rank, turn: (this.#turn += 1) });
      }
      const isOver = place.status === 'ACTIVE' && ends.of(place).latestMs <= endMs;
      keep('a poll says how the place stands', isOver || (body.status ?? 'LEFT') === place.status, () => [
        body,
        place,
      ]);
    }
  }
}

/** The policy is the old one or what it was changed to, and the latter when that was acknowledged. */
function checkPolicy({ before, after, asked }: Window): void {
  const rulesOf = ({ room }: Tables) => {
    const { concertId: _c, lastNumber: _l, admittedThrough: _a, movedAtMs: _m, paused, ...rules } = room;
    return { ...rules, paused: paused === 1 };
  };
  const was = rulesOf(before);
  const is = JSON.stringify(rulesOf(after));
  const change = asked.find(({ request }) => request.wish.kind === 'policy');
  const wanted: object =
    change?.request.wish.kind === 'policy' ? { ...was, ...change.request.wish.patch } : was;
  const isChanged = is === JSON.stringify(wanted);
  const mayBeOld = change?.answer === undefined && is === JSON.stringify(was);
  keep('a policy is what it was changed to', isChanged || mayBeOld, () => [was, is, change]);
  if (change?.answer) {
    const told = JSON.stringify({ ...wanted, ...bodyOf(change.answer) });
    keep('a policy is what it was changed to', told === JSON.stringify(wanted), () => [was, is, told]);
  }
}

const describe = (fault: unknown): string =>
  fault instanceof Error ? `${fault.name} ${fault.message}` : String(fault);

const summaryOf = ({ places, seats, wallets }: Tables): string =>
  [
    places.map(({ userId, status }) => `${userId} ${status}`),
    [...seats.values()].map(({ id, status }) => `${id} ${status}`),
    [...wallets.values()].map(({ userId, balance }) => `${userId} ${balance}`),
  ]
    .map((list) => list.join(', '))
    .join('; ');
