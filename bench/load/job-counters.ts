import { Histogram } from '../measurement/histogram.js';
import type { HttpResponse } from './http-connection.js';
import type { Outcome } from './job.js';

/** Counts the responses of a job. */
export class JobCounters {
  readonly #latency = new Histogram();
  readonly #statuses: Record<string, number> = {};
  readonly #captured: Outcome['captured'] = [];
  #completed = 0;
  #responses = 0;
  #bodyBytes = 0;
  #wireBytes = 0;

  addResponse({ status, bodyBytes, wireBytes }: HttpResponse): void {
    this.#responses += 1;
    this.#bodyBytes += bodyBytes;
    this.#wireBytes += wireBytes;
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
  }

  addCapture(scenario: number, text: string): void {
    this.#captured.push({ scenario, text });
  }

  addCompleted(ms: number): void {
    this.#completed += 1;
    this.#latency.add(ms);
  }

  get completed(): number {
    return this.#completed;
  }

  toOutcome(seconds: number, cpuSeconds: number, error: string | undefined): Outcome {
    const responses = Math.max(1, this.#responses);
    return {
      completed: this.#completed,
      seconds,
      statuses: this.#statuses,
      bodyBytes: this.#bodyBytes / responses,
      wireBytes: this.#wireBytes / responses,
      loadShare: cpuSeconds / Math.max(seconds, Number.EPSILON),
      latency: this.#latency.counts,
      captured: this.#captured,
      ...(error !== undefined && { error }),
    };
  }
}
