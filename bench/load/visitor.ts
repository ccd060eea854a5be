import type { Socket } from 'node:net';
import { type Answer, Connection } from './connection.js';
import type { Job } from './job.js';

export interface VisitorEvents {
  answered(answer: Answer): void;
  captured(visit: number, text: string): void;
  /** Every request of the visit has been answered as expected. */
  done(visitor: Visitor, sinceMs: number): void;
  fault(fault: string): void;
}

export type Steps = readonly (Buffer | string)[];

/** Whoever sits at one connection: makes one visit after another. */
export class Visitor {
  readonly #connection: Connection;
  readonly #job: Job;
  readonly #events: VisitorEvents;
  readonly #visits: readonly Steps[];
  #visit = 0;
  #step = 0;
  #sinceMs = 0;
  #found: Record<string, string> = {};

  constructor(socket: Socket, job: Job, visits: readonly Steps[], events: VisitorEvents) {
    this.#job = job;
    this.#visits = visits;
    this.#events = events;
    this.#connection = new Connection(
      socket,
      (answer) => {
        this.#take(answer);
      },
      (fault) => {
        events.fault(fault);
      },
    );
  }

  begin(visit: number, sinceMs: number): void {
    this.#visit = visit;
    this.#step = 0;
    this.#sinceMs = sinceMs;
    this.#send();
  }

  leave(): void {
    this.#connection.close();
  }

  get #steps(): Steps {
    return this.#visits[this.#visit % this.#visits.length] ?? [];
  }

  #send(): void {
    const request = this.#steps[this.#step] ?? '';
    const wantsBody = this.#job.captures?.some(({ step }) => step === this.#step) === true;
    const text = typeof request === 'string' ? this.#filledIn(request) : request;
    this.#connection.send(text, wantsBody);
  }

  #filledIn(template: string): string {
    return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => this.#found[name] ?? '');
  }

  #take(answer: Answer): void {
    this.#events.answered(answer);
    if (!this.#job.expect.includes(answer.status)) {
      this.#events.fault(`answered ${answer.status} ${answer.body.slice(0, 200)}`);
      return;
    }
    for (const { step, name, pattern } of this.#job.captures ?? []) {
      if (step !== this.#step) continue;
      const text = new RegExp(pattern).exec(answer.body)?.[1];
      if (text === undefined) continue;
      this.#found[name] = text;
      this.#events.captured(this.#visit, text);
    }
    this.#step += 1;
    if (this.#step < this.#steps.length) this.#send();
    else this.#events.done(this, this.#sinceMs);
  }
}
