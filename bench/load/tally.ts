import { Histogram } from '../histogram.js';
import type { Answer } from './connection.js';
import type { Outcome } from './job.js';

/** What came back, counted. */
export class Tally {
  readonly #latency = new Histogram();
  readonly #statuses: Record<string, number> = {};
  readonly #captured: { visit: number; text: string }[] = [];
  #visits = 0;
  #answers = 0;
  #bodyBytes = 0;
  #wireBytes = 0;

  answered({ status, bodyBytes, wireBytes }: Answer): void {
    this.#answers += 1;
    this.#bodyBytes += bodyBytes;
    this.#wireBytes += wireBytes;
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
  }

  captured(visit: number, text: string): void {
    this.#captured.push({ visit, text });
  }

  visited(ms: number): void {
    this.#visits += 1;
    this.#latency.add(ms);
  }

  get visits(): number {
    return this.#visits;
  }

  outcome(seconds: number, cpuSeconds: number, fault: string | undefined): Outcome {
    const answers = Math.max(1, this.#answers);
    return {
      visits: this.#visits,
      seconds,
      statuses: this.#statuses,
      bodyBytes: this.#bodyBytes / answers,
      wireBytes: this.#wireBytes / answers,
      loadShare: cpuSeconds / Math.max(seconds, Number.EPSILON),
      latency: this.#latency.counts,
      captured: this.#captured,
      ...(fault !== undefined && { fault }),
    };
  }
}
