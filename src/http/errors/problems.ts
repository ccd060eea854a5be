import type { DenialReason, Refusal, RefusalCode, RefusalExtra } from '../../kernel/refusal.js';

export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
}

/** A refusal as an RFC 9457 problem, with the extra members of its code (`reason`, `seatIds`, `balance` …). */
export type Problem = RefusalExtra & {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: RefusalCode;
};

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Used when the refusal does not say how long to wait. */
const RETRY_AFTER_DEFAULT_SECONDS = 2;

/** Status and texts of every refusal code. docs/problems.md explains them. */
export const PROBLEMS: Readonly<Record<RefusalCode, ProblemKind>> = {
  ACCESS_DENIED: {
    status: 403,
    title: 'Access denied',
    detail: 'The credential or the place does not allow this call; `reason` says why.',
  },
  ALREADY_OPERATOR: {
    status: 409,
    title: 'Already an operator',
    detail: 'The account with this e-mail address is an operator already.',
  },
  ALREADY_RESERVED_SEAT: {
    status: 409,
    title: 'Seat already taken',
    detail:
      'At least one of the seats is held or sold, so none was reserved; `seatIds` names the ones taken.',
  },
  BALANCE_LIMIT_EXCEEDED: {
    status: 422,
    title: 'Balance limit exceeded',
    detail: 'The wallet cannot hold that much; `limit` is the most it may hold.',
  },
  BALANCE_NOT_ZERO: {
    status: 409,
    title: 'Balance not zero',
    detail: 'The wallet has a balance. Spend it, or say that you give it up.',
  },
  CANNOT_REMOVE_YOURSELF: {
    status: 409,
    title: 'Cannot remove yourself',
    detail: 'Another operator must remove you, so that one always remains.',
  },
  CONCERT_NOT_FOUND: { status: 404, title: 'Concert not found', detail: 'There is no concert with this id.' },
  EMAIL_TAKEN: {
    status: 409,
    title: 'E-mail address taken',
    detail: 'An account with this e-mail address exists already; sign in instead.',
  },
  FORBIDDEN: { status: 403, title: 'Forbidden', detail: 'Only an operator may do this.' },
  IDEMPOTENCY_KEY_IN_FLIGHT: {
    status: 409,
    title: 'Request still in flight',
    detail: 'An earlier request with this Idempotency-Key has not finished; try again in a moment.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    title: 'Idempotency-Key reused',
    detail: 'This Idempotency-Key was used for a different request; use a new key for each request.',
  },
  IMAGE_DIMENSIONS_INVALID: {
    status: 422,
    title: 'Image dimensions invalid',
    detail: 'Each side of the image must have from `min` to `max` pixels.',
  },
  IMAGE_TOO_LARGE: {
    status: 413,
    title: 'Image too large',
    detail: 'The image has more than `limit` bytes.',
  },
  IMAGE_TYPE_UNSUPPORTED: {
    status: 415,
    title: 'Image type unsupported',
    detail: 'The content is not a PNG, JPEG or WebP image.',
  },
  INTERNAL_ERROR: {
    status: 500,
    title: 'Internal error',
    detail: 'Something went wrong on our side. Quote `requestId` when you report it.',
  },
  INVALID_AMOUNT: { status: 400, title: 'Invalid amount', detail: 'The amount must be 1 or more.' },
  INVALID_REQUEST: { status: 400, title: 'Invalid request', detail: 'The request is malformed.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'Method not allowed',
    detail: 'This path does not support this method; the Allow header lists the supported ones.',
  },
  NOT_ENOUGH_BALANCE: {
    status: 402,
    title: 'Not enough balance',
    detail: 'The wallet holds less than the price. The seats stay held: charge the wallet and pay again.',
  },
  NOT_FOUND: { status: 404, title: 'Not found', detail: 'There is nothing at this path.' },
  NO_SEATS_TOGETHER: {
    status: 409,
    title: 'No seats together',
    detail:
      'There are not that many free seats side by side; ask for fewer, for another grade, or choose them yourself.',
  },
  OPERATOR_NOT_ERASABLE: {
    status: 409,
    title: 'Operator account',
    detail: 'The account of an operator cannot be deleted.',
  },
  OPERATOR_NOT_FOUND: {
    status: 404,
    title: 'Operator not found',
    detail: 'There is no operator and no invited person with this id.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'Payload too large',
    detail: 'The body is larger than this call accepts.',
  },
  PAYMENT_NOT_FOUND: { status: 404, title: 'Payment not found', detail: 'There is no payment with this id.' },
  REQUEST_TIMEOUT: {
    status: 408,
    title: 'Request timeout',
    detail: 'The request did not arrive completely in time.',
  },
  RESERVATION_EXPIRED: {
    status: 409,
    title: 'Reservation expired',
    detail: 'The hold expired before it was paid, and its seats are free again.',
  },
  RESERVATION_NOT_FOUND: {
    status: 404,
    title: 'Reservation not found',
    detail: 'You have no reservation with this id.',
  },
  RESERVATION_NOT_HELD: {
    status: 409,
    title: 'Reservation not held',
    detail: 'Only a reservation that is still held can be paid or released.',
  },
  RESET_TOKEN_INVALID: {
    status: 410,
    title: 'Link no longer valid',
    detail: 'This link to set a password is unknown, was used already or has expired; ask for a new one.',
  },
  SALES_CLOSED: { status: 409, title: 'Sales closed', detail: 'The sale of this concert has ended.' },
  SALES_NOT_OPEN: {
    status: 409,
    title: 'Sales not open',
    detail: 'The sale of this concert has not begun yet.',
  },
  SCHEDULE_CLOSED: { status: 409, title: 'Date closed', detail: 'This date can no longer be booked.' },
  SCHEDULE_NOT_FOUND: { status: 404, title: 'Date not found', detail: 'There is no date with this id.' },
  SEAT_LIMIT_EXCEEDED: {
    status: 409,
    title: 'Seat limit exceeded',
    detail: 'That would be more seats of this date than one person may have.',
  },
  SEAT_NOT_FOUND: {
    status: 404,
    title: 'Seat not found',
    detail: 'At least one of the seats does not exist on this date.',
  },
  SOLD_OUT: {
    status: 409,
    title: 'Sold out',
    detail: 'Every seat is sold. Joining is possible again once a seat is free.',
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    title: 'Too many requests',
    detail: 'Slow down: try again after `retryAfterSeconds`.',
  },
  TOO_MANY_STREAMS: {
    status: 503,
    title: 'Too many streams',
    detail: 'No more live streams can be opened now; poll instead, or try again later.',
  },
  UNAVAILABLE: {
    status: 503,
    title: 'Unavailable',
    detail:
      'The service cannot handle this request now. Try again; with the same Idempotency-Key nothing happens twice.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'Unsupported media type',
    detail: 'Send the body as application/json.',
  },
  USER_NOT_FOUND: {
    status: 404,
    title: 'User not found',
    detail: 'The account of this credential no longer exists.',
  },
  VERIFICATION_TOKEN_INVALID: {
    status: 410,
    title: 'Link no longer valid',
    detail: 'This link to verify an address is unknown or has expired; ask for a new one.',
  },
  WRONG_CREDENTIALS: {
    status: 401,
    title: 'Wrong credentials',
    detail: 'The e-mail address or the password is wrong.',
  },
};

const DENIALS: Readonly<Record<DenialReason, Pick<ProblemKind, 'status' | 'detail'>>> = {
  MISSING: { status: 401, detail: 'Send a credential: `Authorization: Bearer <token>`.' },
  INVALID: {
    status: 401,
    detail: 'The credential is forged, malformed, expired or of a kind that this call does not accept.',
  },
  NOT_ACTIVE: {
    status: 403,
    detail: 'You have not been admitted: join the waiting room and wait until your place is ACTIVE.',
  },
  EXPIRED: { status: 403, detail: 'Your place has expired: join the waiting room again.' },
  USED: { status: 403, detail: 'Your place has been consumed: join the waiting room again to book more.' },
  LEFT: { status: 403, detail: 'You left the waiting room: join it again for a new place.' },
  CLOSED: {
    status: 403,
    detail: 'The sale closed, or sold out, while you were waiting, and your place has ended.',
  },
  WRONG_CONCERT: { status: 403, detail: 'This queue token is for the waiting room of another concert.' },
};

export const denialStatuses: readonly number[] = [
  ...new Set(Object.values(DENIALS).map(({ status }) => status)),
];

const isDenialReason = (reason: unknown): reason is DenialReason =>
  typeof reason === 'string' && Object.hasOwn(DENIALS, reason);

const toKebabCase = (code: RefusalCode): string => code.toLowerCase().replaceAll('_', '-');

function problemKind(code: RefusalCode, extra: RefusalExtra): ProblemKind {
  const kind = PROBLEMS[code];
  if (code === 'ACCESS_DENIED' && isDenialReason(extra['reason']))
    return { ...kind, ...DENIALS[extra['reason']] };
  if (code === 'INVALID_REQUEST') return { ...kind, detail: requestErrors(extra) ?? kind.detail };
  return kind;
}

/** Describes what is wrong with the request: names of fields and rules, never values. */
function requestErrors({ errors, field }: RefusalExtra): string | undefined {
  if (Array.isArray(errors) && errors.length > 0) return `${errors.join('; ')}.`;
  return typeof field === 'string' ? `${field} is not valid.` : undefined;
}

export function toProblem({ code, extra }: Pick<Refusal, 'code' | 'extra'>): Problem {
  const { status, title, detail } = problemKind(code, extra);
  const common = { type: `urn:foyer:problem:${toKebabCase(code)}`, title, status, detail, code };
  // First for the order of members; again so that an extra member cannot override a common one.
  return { ...common, ...extra, ...common };
}

/** The headers that HTTP requires for the status. */
export function problemHeaders({ status, retryAfterSeconds }: Problem): Readonly<Record<string, string>> {
  if (status === 401) return { 'www-authenticate': 'Bearer' };
  if (status !== 429 && status !== 503) return {};
  const seconds =
    typeof retryAfterSeconds === 'number' ? Math.ceil(retryAfterSeconds) : RETRY_AFTER_DEFAULT_SECONDS;
  return { 'retry-after': String(seconds) };
}
