import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiRequest, Call } from '../call-log.js';
import type { Random } from '../random.js';
import type { WorkloadContext } from './context.js';

const RETRY_DELAY_MS = 300;
const RETRY_AFTER_MAX_MS = 5000;
const SECOND_MS = 1000;

/** Sends the requests of one fan or of the operator. */
export class Caller {
  readonly #index: number;
  readonly #context: WorkloadContext;
  readonly #random: Random;

  constructor(index: number, context: WorkloadContext, random: Random) {
    this.#index = index;
    this.#context = context;
    this.#random = random;
  }

  send(request: ApiRequest, processIndex = this.#random.below(this.#context.processCount)): Promise<Call> {
    return this.#context.send(this.#index, processIndex, request);
  }

  /** Retries, each time on a random process, until the outcome is known or it is time to give up. */
  async sendUntilKnown(request: ApiRequest): Promise<Call> {
    for (;;) {
      const call = await this.send(request);
      if (call.outcome !== 'unknown' || Date.now() > this.#context.giveUpAtMs()) return call;
      await sleep(this.#retryDelayMs(call));
    }
  }

  /** Rate limits say how long to wait. */
  #retryDelayMs({ retryAfter }: Call): number {
    return retryAfter === ''
      ? RETRY_DELAY_MS * this.#random.between(0.5, 2)
      : Math.min(RETRY_AFTER_MAX_MS, Number(retryAfter) * SECOND_MS);
  }

  /** Reads from another process what was just written. */
  readBack(write: Call, read: Omit<ApiRequest, 'method' | 'readsAfter'>): Promise<Call> {
    const { processCount } = this.#context;
    const other = (write.processIndex + 1 + this.#random.below(Math.max(1, processCount - 1))) % processCount;
    return this.send({ ...read, method: 'GET', readsAfter: write }, other);
  }

  /** Waits, but not longer than the workload runs. */
  async waitMs(ms: number): Promise<void> {
    const untilMs = Date.now() + ms;
    while (Date.now() < untilMs && !this.#context.isStopped())
      await sleep(Math.min(100, Math.max(0, untilMs - Date.now())));
  }
}
