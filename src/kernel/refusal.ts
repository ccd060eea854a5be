/** Why a booking call was denied; part of the HTTP contract. */
export type DenialReason =
  'MISSING' | 'INVALID' | 'NOT_ACTIVE' | 'EXPIRED' | 'USED' | 'LEFT' | 'CLOSED' | 'WRONG_CONCERT';

/** The closed list of refusal codes. `http/errors/problems.ts` has one row for each. */
export type RefusalCode =
  | 'ACCESS_DENIED'
  | 'ALREADY_OPERATOR'
  | 'ALREADY_RESERVED_SEAT'
  | 'BALANCE_LIMIT_EXCEEDED'
  | 'BALANCE_NOT_ZERO'
  | 'CANNOT_REMOVE_YOURSELF'
  | 'CONCERT_NOT_FOUND'
  | 'EMAIL_TAKEN'
  | 'FORBIDDEN'
  | 'IDEMPOTENCY_KEY_IN_FLIGHT'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'IMAGE_DIMENSIONS_INVALID'
  | 'IMAGE_TOO_LARGE'
  | 'IMAGE_TYPE_UNSUPPORTED'
  | 'INTERNAL_ERROR'
  | 'INVALID_AMOUNT'
  | 'INVALID_REQUEST'
  | 'METHOD_NOT_ALLOWED'
  | 'NOT_ENOUGH_BALANCE'
  | 'NOT_FOUND'
  | 'NO_SEATS_TOGETHER'
  | 'OPERATOR_NOT_ERASABLE'
  | 'OPERATOR_NOT_FOUND'
  | 'PAYLOAD_TOO_LARGE'
  | 'PAYMENT_NOT_FOUND'
  | 'REQUEST_TIMEOUT'
  | 'RESERVATION_EXPIRED'
  | 'RESERVATION_NOT_FOUND'
  | 'RESERVATION_NOT_HELD'
  | 'RESET_TOKEN_INVALID'
  | 'SALES_CLOSED'
  | 'SALES_NOT_OPEN'
  | 'SCHEDULE_CLOSED'
  | 'SCHEDULE_NOT_FOUND'
  | 'SEAT_LIMIT_EXCEEDED'
  | 'SEAT_NOT_FOUND'
  | 'SOLD_OUT'
  | 'TOO_MANY_REQUESTS'
  | 'TOO_MANY_STREAMS'
  | 'UNAVAILABLE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'USER_NOT_FOUND'
  | 'VERIFICATION_TOKEN_INVALID'
  | 'WRONG_CREDENTIALS';

/** What is wrong with one member of a request body. */
export interface Fault {
  /** A JSON pointer into the body, such as `/schedules/0/startsAt`; empty for the body itself. */
  readonly path: string;
  /** What the member must be, never its value: `must be integer`. */
  readonly rule: string;
}

export type RefusalExtra = Readonly<
  Record<string, string | number | readonly string[] | readonly Fault[] | null>
>;

/** An expected "no" to the caller, never a bug. `http/` turns the code into a problem document. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly extra: RefusalExtra;

  constructor(code: RefusalCode, extra: RefusalExtra = {}) {
    super(code);
    this.code = code;
    this.extra = extra;
  }
}

export const denied = (reason: DenialReason): Refusal => new Refusal('ACCESS_DENIED', { reason });
