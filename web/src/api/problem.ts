import { isRecord } from '../is-record.js';

/** What a refusal may say beside its code: `reason`, `seatIds`, `balance`, … */
export type ProblemExtra = Readonly<Record<string, unknown>>;

/** The server said no, and why. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly code: string;
  readonly extra: ProblemExtra;

  constructor(status: number, code: string, extra: ProblemExtra = {}) {
    super(code);
    this.status = status;
    this.code = code;
    this.extra = extra;
  }

  /** Why a booking call was not let in; empty for every other refusal. */
  get reason(): string {
    const { reason } = this.extra;
    return this.code === 'ACCESS_DENIED' && typeof reason === 'string' ? reason : '';
  }

  /** Whether asking again, unchanged, may well succeed. */
  get isPassing(): boolean {
    return this.status >= 500 || this.status === 429 || this.code === 'IDEMPOTENCY_KEY_IN_FLIGHT';
  }
}

/** Nobody answered: no network, no server, or not in time. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  readonly timedOut: boolean;

  constructor(timedOut: boolean) {
    super(timedOut ? 'timed out' : 'no connection');
    this.timedOut = timedOut;
  }
}

export const isProblem = (error: unknown, code: string): error is Problem =>
  error instanceof Problem && error.code === code;

/** Reads an answer that is not fine. A proxy's own error page has no code: its status says enough. */
export async function readProblem(answer: Response): Promise<Problem> {
  const body: unknown = await answer.json().catch(() => undefined);
  const fallback =
    answer.status >= 500 ? 'UNAVAILABLE' : answer.status === 404 ? 'NOT_FOUND' : 'INVALID_REQUEST';
  if (!isRecord(body)) return new Problem(answer.status, fallback);
  const { type: _type, title: _title, status: _status, detail: _detail, code, ...extra } = body;
  return new Problem(answer.status, typeof code === 'string' ? code : fallback, extra);
}
