import { type HttpResponse, openSocket } from './http-connection.js';
import type { Job, Outcome } from './job.js';
import { JobCounters } from './job-counters.js';
import { type EncodedScenario, VirtualUser, type VirtualUserEvents } from './virtual-user.js';

/** How long a job waits for outstanding responses after its time limit. A server that takes longer fails the case. */
const DRAIN_MAX_MS = 30_000;
const TICK_MS = 1;
/** More concurrent connects would overflow the listen backlog of a busy server. */
const CONCURRENT_CONNECTS_MAX = 100;

export const runJob = (job: Job): Promise<Outcome> => new JobRun(job).run();

/** Encodes fixed requests once, before the measurement. */
const encodeScenario = (requests: readonly string[]): EncodedScenario =>
  requests.map((request) => (request.includes('{{') ? request : Buffer.from(request)));

/** Opens the connections, starts scenarios until all have run or the time is up, then waits for the last responses. */
class JobRun implements VirtualUserEvents {
  readonly #job: Job;
  readonly #scenarios: readonly EncodedScenario[];
  readonly #scenariosMax: number;
  readonly #counters = new JobCounters();
  readonly #users: VirtualUser[] = [];
  readonly #idleUsers: VirtualUser[] = [];
  readonly #finished: Promise<void>;
  #finish: () => void = () => undefined;
  #started = 0;
  #startedMs = 0;
  #endedMs = 0;
  #isTimeOver = false;
  #error: string | undefined;

  constructor(job: Job) {
    this.#job = job;
    this.#scenarios = job.scenarios.map(encodeScenario);
    this.#scenariosMax = job.once ? job.scenarios.length : Infinity;
    this.#finished = new Promise((resolve) => (this.#finish = resolve));
  }

  async run(): Promise<Outcome> {
    const { seconds, arrivalsPerSecond } = this.#job;
    await this.#openConnections().catch((error: unknown) => {
      this.onError(`cannot connect: ${String(error)}`);
    });
    const cpuBefore = process.cpuUsage();
    this.#startedMs = performance.now();
    const timers = [
      setTimeout(() => {
        this.#isTimeOver = true;
        this.#finishIfComplete();
      }, seconds * 1000),
      setTimeout(
        () => {
          this.onError(`responses still missing after ${DRAIN_MAX_MS / 1000} s`);
        },
        seconds * 1000 + DRAIN_MAX_MS,
      ),
    ];
    this.#idleUsers.push(...this.#users);
    if (arrivalsPerSecond === undefined) this.#startUpTo(this.#scenariosMax, () => this.#startedMs);
    else timers.push(this.#startOnSchedule(arrivalsPerSecond));
    await this.#finished;
    timers.forEach(clearTimeout);
    for (const user of this.#users) user.close();
    const { user, system } = process.cpuUsage(cpuBefore);
    const elapsedSeconds = Math.max(0, this.#endedMs - this.#startedMs) / 1000;
    return this.#counters.toOutcome(elapsedSeconds, (user + system) / 1e6, this.#error);
  }

  onResponse(response: HttpResponse): void {
    this.#counters.addResponse(response);
  }

  onCapture(scenario: number, text: string): void {
    this.#counters.addCapture(scenario, text);
  }

  onScenarioDone(user: VirtualUser, dueMs: number): void {
    this.#endedMs = performance.now();
    this.#counters.addCompleted(this.#endedMs - dueMs);
    if (this.#error !== undefined) return;
    const isClosedLoop = this.#job.arrivalsPerSecond === undefined;
    if (isClosedLoop && !this.#isTimeOver && this.#started < this.#scenariosMax)
      user.start(this.#started++, this.#endedMs);
    else this.#idleUsers.push(user);
    this.#finishIfComplete();
  }

  onError(error: string): void {
    this.#error ??= error;
    this.#finish();
  }

  #finishIfComplete(): void {
    const isDrained = this.#counters.completed === this.#started;
    if (isDrained && (this.#isTimeOver || this.#started >= this.#scenariosMax)) this.#finish();
  }

  async #openConnections(): Promise<void> {
    const { connections, port } = this.#job;
    while (this.#users.length < connections) {
      const count = Math.min(CONCURRENT_CONNECTS_MAX, connections - this.#users.length);
      const sockets = await Promise.all(Array.from({ length: count }, () => openSocket(port)));
      for (const socket of sockets)
        this.#users.push(new VirtualUser(socket, this.#job, this.#scenarios, this));
    }
  }

  /** A scenario that is due while no connection is idle starts later. Its latency includes that wait, as for a real fan. */
  #startUpTo(count: number, dueMs: (scenario: number) => number): void {
    while (!this.#isTimeOver && this.#started < Math.min(count, this.#scenariosMax)) {
      const user = this.#idleUsers.pop();
      if (!user) return;
      user.start(this.#started, dueMs(this.#started));
      this.#started += 1;
    }
  }

  /** Starts the scenarios that are due in each tick, whether or not earlier ones have been answered. */
  #startOnSchedule(arrivalsPerSecond: number): NodeJS.Timeout {
    const perTick = (arrivalsPerSecond * TICK_MS) / 1000;
    const dueMs = (scenario: number): number =>
      this.#startedMs + Math.ceil((scenario + 1) / perTick) * TICK_MS;
    return setInterval(() => {
      const ticks = Math.floor((performance.now() - this.#startedMs) / TICK_MS);
      this.#startUpTo(Math.floor(ticks * perTick), dueMs);
    }, TICK_MS);
  }
}
