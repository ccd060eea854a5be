import { type Answer, openSocket } from './connection.js';
import type { Job, Outcome } from './job.js';
import { Tally } from './tally.js';
import { type Steps, Visitor, type VisitorEvents } from './visitor.js';

/** After its time a job waits so long for the last answers; a server that is silent for longer has failed the case. */
const LAST_ANSWERS_MS = 30_000;
const TICK_MS = 1;
/** Sockets opened at once: more would overflow the backlog of a server that is busy. */
const OPENING_MAX = 100;

export const runJob = (job: Job): Promise<Outcome> => new JobRun(job).run();

/** Fixed requests become bytes beforehand; those with something to fill in stay text. */
const encode = (visit: readonly string[]): Steps =>
  visit.map((request) => (request.includes('{{') ? request : Buffer.from(request)));

/** One job under way: hands out visits until they, or the time, have run out. */
class JobRun implements VisitorEvents {
  readonly #job: Job;
  readonly #visits: readonly Steps[];
  readonly #limit: number;
  readonly #tally = new Tally();
  readonly #visitors: Visitor[] = [];
  readonly #free: Visitor[] = [];
  readonly #finished: Promise<void>;
  #finish: () => void = () => undefined;
  #begun = 0;
  #startedMs = 0;
  #endedMs = 0;
  #isOver = false;
  #fault: string | undefined;

  constructor(job: Job) {
    this.#job = job;
    this.#visits = job.visits.map(encode);
    this.#limit = job.once ? job.visits.length : Infinity;
    this.#finished = new Promise((resolve) => (this.#finish = resolve));
  }

  async run(): Promise<Outcome> {
    const { seconds, pace } = this.#job;
    await this.#openAll().catch((error: unknown) => {
      this.fault(`no connection: ${String(error)}`);
    });
    const cpuBefore = process.cpuUsage();
    this.#startedMs = performance.now();
    const timers = [
      setTimeout(() => {
        this.#isOver = true;
        this.#finishIfComplete();
      }, seconds * 1000),
      setTimeout(
        () => {
          this.fault('answers are missing');
        },
        seconds * 1000 + LAST_ANSWERS_MS,
      ),
    ];
    this.#free.push(...this.#visitors);
    if (pace === undefined) this.#beginUpTo(this.#limit, () => this.#startedMs);
    else timers.push(this.#keepPace(pace));
    await this.#finished;
    timers.forEach(clearTimeout);
    for (const visitor of this.#visitors) visitor.leave();
    const { user, system } = process.cpuUsage(cpuBefore);
    const elapsedSeconds = Math.max(0, this.#endedMs - this.#startedMs) / 1000;
    return this.#tally.outcome(elapsedSeconds, (user + system) / 1e6, this.#fault);
  }

  answered(answer: Answer): void {
    this.#tally.answered(answer);
  }

  captured(visit: number, text: string): void {
    this.#tally.captured(visit, text);
  }

  done(visitor: Visitor, sinceMs: number): void {
    this.#endedMs = performance.now();
    this.#tally.visited(this.#endedMs - sinceMs);
    if (this.#fault !== undefined) return;
    const goesOn = this.#job.pace === undefined && !this.#isOver && this.#begun < this.#limit;
    if (goesOn) visitor.begin(this.#begun++, this.#endedMs);
    else this.#free.push(visitor);
    this.#finishIfComplete();
  }

  fault(why: string): void {
    this.#fault ??= why;
    this.#finish();
  }

  #finishIfComplete(): void {
    const isDone = this.#tally.visits === this.#begun;
    if (isDone && (this.#isOver || this.#begun >= this.#limit)) this.#finish();
  }

  async #openAll(): Promise<void> {
    const { connections, port } = this.#job;
    while (this.#visitors.length < connections) {
      const count = Math.min(OPENING_MAX, connections - this.#visitors.length);
      const sockets = await Promise.all(Array.from({ length: count }, () => openSocket(port)));
      for (const socket of sockets) this.#visitors.push(new Visitor(socket, this.#job, this.#visits, this));
    }
  }

  /** Whoever is due and finds no free connection begins later; the wait counts, as it would for a fan. */
  #beginUpTo(count: number, dueMs: (visit: number) => number): void {
    while (!this.#isOver && this.#begun < Math.min(count, this.#limit)) {
      const visitor = this.#free.pop();
      if (!visitor) return;
      visitor.begin(this.#begun, dueMs(this.#begun));
      this.#begun += 1;
    }
  }

  /** Every millisecond those begin who are due by then. The timetable is in whole ticks, and never waits for answers. */
  #keepPace(perSecond: number): NodeJS.Timeout {
    const perTick = (perSecond * TICK_MS) / 1000;
    const dueMs = (visit: number): number => this.#startedMs + Math.ceil((visit + 1) / perTick) * TICK_MS;
    return setInterval(() => {
      const ticks = Math.floor((performance.now() - this.#startedMs) / TICK_MS);
      this.#beginUpTo(Math.floor(ticks * perTick), dueMs);
    }, TICK_MS);
  }
}
