import { isRecord } from '../is-record.js';

/** The members of a problem response besides the standard ones: `reason`, `seatIds`, `balance`, … */
export type ProblemDetails = Readonly<Record<string, unknown>>;

/** A refusal of the server, with its closed code. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly code: string;
  readonly details: ProblemDetails;

  constructor(status: number, code: string, extra: ProblemDetails = {}) {
    super(code);
    this.status = status;
    this.code = code;
    this.details = extra;
  }

  /** Why a booking call was denied; empty for every other refusal. */
  get reason(): string {
    const { reason } = this.details;
    return this.code === 'ACCESS_DENIED' && typeof reason === 'string' ? reason : '';
  }

  /** Whether the same request may succeed later. */
  get isTransient(): boolean {
    return this.status >= 500 || this.status === 429 || this.code === 'IDEMPOTENCY_KEY_IN_FLIGHT';
  }
}

/** No response: no network, no server, or a timeout. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly timedOut: boolean;

  constructor(timedOut: boolean) {
    super(timedOut ? 'timed out' : 'no connection');
    this.timedOut = timedOut;
  }
}

export const isProblem = (error: unknown, code: string): error is Problem =>
  error instanceof Problem && error.code === code;

/** Reads an error response. A proxy's error page has no code: the status decides. */
export async function readProblem(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => undefined);
  const fallback =
    response.status >= 500 ? 'UNAVAILABLE' : response.status === 404 ? 'NOT_FOUND' : 'INVALID_REQUEST';
  if (!isRecord(body)) return new Problem(response.status, fallback);
  const { type: _type, title: _title, status: _status, detail: _detail, code, ...extra } = body;
  return new Problem(response.status, typeof code === 'string' ? code : fallback, extra);
}
