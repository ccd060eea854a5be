import type { Socket } from 'node:net';
import { HttpConnection, type HttpResponse } from './http-connection.js';
import type { Job } from './job.js';

export interface VirtualUserEvents {
  onResponse(response: HttpResponse): void;
  onCapture(scenario: number, text: string): void;
  /** Every request of the scenario got a response with an expected status. */
  onScenarioDone(user: VirtualUser, dueMs: number): void;
  onError(error: string): void;
}

/** Requests with `{{name}}` placeholders stay text; the others are already encoded. */
export type EncodedScenario = readonly (Buffer | string)[];

/** Runs scenarios over one connection, one after the other. */
export class VirtualUser {
  readonly #connection: HttpConnection;
  readonly #job: Job;
  readonly #events: VirtualUserEvents;
  readonly #scenarios: readonly EncodedScenario[];
  #scenario = 0;
  #step = 0;
  #dueMs = 0;
  #captured: Record<string, string> = {};

  constructor(socket: Socket, job: Job, scenarios: readonly EncodedScenario[], events: VirtualUserEvents) {
    this.#job = job;
    this.#scenarios = scenarios;
    this.#events = events;
    this.#connection = new HttpConnection(
      socket,
      (response) => {
        this.#handleResponse(response);
      },
      (error) => {
        events.onError(error);
      },
    );
  }

  /** `scenario` counts up over the whole job. Latency is measured from `dueMs`. */
  start(scenario: number, dueMs: number): void {
    this.#scenario = scenario;
    this.#step = 0;
    this.#dueMs = dueMs;
    this.#sendNextRequest();
  }

  close(): void {
    this.#connection.close();
  }

  get #requests(): EncodedScenario {
    return this.#scenarios[this.#scenario % this.#scenarios.length] ?? [];
  }

  #sendNextRequest(): void {
    const request = this.#requests[this.#step] ?? '';
    const wantsBody = this.#job.captures?.some(({ step }) => step === this.#step) === true;
    this.#connection.send(typeof request === 'string' ? this.#fillIn(request) : request, wantsBody);
  }

  #fillIn(template: string): string {
    return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => this.#captured[name] ?? '');
  }

  #handleResponse(response: HttpResponse): void {
    this.#events.onResponse(response);
    if (!this.#job.expectedStatuses.includes(response.status)) {
      this.#events.onError(`unexpected status ${response.status} ${response.body.slice(0, 200)}`);
      return;
    }
    for (const { step, name, pattern } of this.#job.captures ?? []) {
      if (step !== this.#step) continue;
      const text = new RegExp(pattern).exec(response.body)?.[1];
      if (text === undefined) continue;
      this.#captured[name] = text;
      this.#events.onCapture(this.#scenario, text);
    }
    this.#step += 1;
    if (this.#step < this.#requests.length) this.#sendNextRequest();
    else this.#events.onScenarioDone(this, this.#dueMs);
  }
}
