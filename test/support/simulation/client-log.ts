import type { Outcome } from '../handlers.js';
import { checkInvariant } from './invariant-violation.js';
import type { Request } from './requests.js';
import type { Tables } from './tables.js';

export interface ReceivedResponse extends Outcome {
  /** Position in the order of all requests and responses of the history. */
  readonly step: number;
  readonly atMs: number;
}

/** A request that was sent, with its response if one arrived before the process crashed. */
export interface SentRequest {
  readonly request: Request;
  readonly step: number;
  readonly atMs: number;
  response: ReceivedResponse | undefined;
}

/** Reads the claims without verifying the signature. */
export function readQueueToken(token: string): { readonly placeId: string; readonly number: number } {
  const { jti, num } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return { placeId: jti, number: num };
}

const NOTHING_LOST = 'an acknowledged write is never lost';
const SAME_KEY = 'a repeated key returns the same bytes';

/**
 * What the clients know: every request that was sent and everything that was acknowledged, across all restarts of the
 * process. Checks that nothing acknowledged is lost later.
 */
export class ClientLog {
  /** Each request once, even if it was sent several times. */
  readonly firstSentAtStep = new Map<Request, number>();
  readonly joinCounts = new Map<string, number>();
  readonly queueTokens = new Map<string, string>();
  readonly lastRanks = new Map<string, { readonly rank: number; readonly step: number }>();
  readonly keyedRequests: Request[] = [];
  readonly #keyedResponses = new Map<string, string>();
  readonly #places = new Map<string, { readonly userId: string; readonly number: number }>();
  readonly #left = new Set<string>();
  readonly #holds = new Map<string, { readonly userId: string; readonly seatIds: readonly string[] }>();
  readonly #released = new Set<string>();
  readonly #entries = new Map<string, { readonly amount: number; readonly balanceAfter: number }>();
  readonly #receipts = new Map<string, string>();
  readonly #refunded = new Set<string>();

  recordSent({ request, step }: SentRequest): void {
    const { userId, operation, key } = request;
    if (!this.firstSentAtStep.has(request)) {
      this.firstSentAtStep.set(request, step);
      if (key !== null) this.keyedRequests.push(request);
    }
    if (operation.kind === 'join') this.allowJoin(userId);
  }

  /** One more place of this user has a request that explains it. */
  allowJoin(userId: string): void {
    this.joinCounts.set(userId, (this.joinCounts.get(userId) ?? 0) + 1);
  }

  /** Counts distinct requests: a resent one counts once. */
  countRequests(isMatch: (request: Request) => boolean): number {
    let count = 0;
    for (const request of this.firstSentAtStep.keys()) if (isMatch(request)) count += 1;
    return count;
  }

  recordResponse({ request, response }: SentRequest): void {
    if (!response) return;
    const { operation, userId, key } = request;
    const { status } = response;
    if (key !== null && typeof response.body === 'string')
      this.#recordKeyedResponse(`${userId} ${key}`, response.body);
    if (status >= 300) return;
    const body = bodyOf(response);
    switch (operation.kind) {
      case 'join': {
        const { placeId, number } = readQueueToken(body.token);
        this.queueTokens.set(placeId, body.token);
        this.#places.set(placeId, { userId, number });
        return;
      }
      case 'leave':
        this.#left.add(operation.place.id);
        return;
      case 'hold':
      case 'best': {
        const seatIds = body.seats.map(({ id }: { id: string }) => id);
        this.#holds.set(body.id, { userId, seatIds });
        return;
      }
      case 'release':
        this.#released.add(operation.reservation.id);
        return;
      case 'charge':
        this.#entries.set(body.entry.id, body.entry);
        return;
      case 'pay': {
        const { refundedAt: _, ...receipt } = body;
        const text = JSON.stringify(receipt);
        const known = this.#receipts.get(body.id) ?? text;
        checkInvariant('a receipt never changes', known === text, () => [known, text]);
        this.#receipts.set(body.id, text);
        return;
      }
      case 'refund':
        this.#refunded.add(operation.payment.id);
        return;
      case 'poll':
      case 'policy':
      case 'move closing':
      case 'run admission':
      case 'expire holds':
        return;
    }
  }

  #recordKeyedResponse(userAndKey: string, text: string): void {
    const known = this.#keyedResponses.get(userAndKey) ?? text;
    checkInvariant(SAME_KEY, known === text, () => [known, text]);
    this.#keyedResponses.set(userAndKey, text);
  }

  checkNothingLost({ places, reservations, entries, payments }: Tables): void {
    const placeById = new Map(places.map((place) => [place.id, place]));
    for (const [id, { userId, number }] of this.#places) {
      const place = placeById.get(id);
      checkInvariant(NOTHING_LOST, place?.userId === userId && place.number === number, () => [
        'place',
        id,
        place,
      ]);
    }
    for (const id of this.#left) {
      const place = placeById.get(id);
      checkInvariant(NOTHING_LOST, place !== undefined && place.status !== 'WAITING', () => [
        'leave',
        id,
        place,
      ]);
    }
    for (const [id, { userId, seatIds }] of this.#holds) {
      const row = reservations.get(id);
      const isSame = row?.userId === userId && row.seatIds.join() === seatIds.join();
      checkInvariant(NOTHING_LOST, isSame, () => ['hold', id, seatIds, row]);
    }
    for (const id of this.#released)
      checkInvariant(NOTHING_LOST, reservations.get(id)?.status === 'CANCELLED', () => [
        'release',
        reservations.get(id),
      ]);
    const entryById = new Map(entries.map((entry) => [entry.id, entry]));
    for (const [id, { amount, balanceAfter }] of this.#entries) {
      const entry = entryById.get(id);
      const isSame = entry?.amount === amount && entry.balanceAfter === balanceAfter;
      checkInvariant(NOTHING_LOST, isSame, () => ['charge', amount, entry]);
    }
    for (const [id, text] of this.#receipts)
      checkInvariant(NOTHING_LOST, payments.get(id)?.receipt === text, () => [
        'payment',
        text,
        payments.get(id),
      ]);
    for (const id of this.#refunded) {
      const payment = payments.get(id);
      checkInvariant(NOTHING_LOST, payment !== undefined && payment.refundedAtMs !== null, () => [
        'refund',
        payment,
      ]);
    }
  }
}

/** The parsed body: the response to a keyed request is stored text, other bodies are objects. */
export const bodyOf = ({ body }: Outcome): Outcome['body'] =>
  typeof body === 'string' && body !== '' ? JSON.parse(body) : body;
