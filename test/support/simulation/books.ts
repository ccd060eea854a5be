import type { Outcome } from '../handlers.js';
import { keep } from './broken.js';
import type { Request } from './requests.js';
import type { Tables } from './tables.js';

export interface Answer extends Outcome {
  /** Which of all asks and answers it was. */
  readonly turn: number;
  readonly atMs: number;
}

/** A request that was sent, with its answer if it came to one before the process died. */
export interface Asked {
  readonly request: Request;
  readonly turn: number;
  readonly atMs: number;
  answer: Answer | undefined;
}

/** What a queue token says of its place. */
export function readToken(token: string): { readonly placeId: string; readonly number: number } {
  const { jti, num } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return { placeId: jti, number: num };
}

const LOST = 'what was acknowledged is never lost';
const SAME_KEY = 'the same key is answered with the same bytes';

/** Everything that was ever asked for, and everything that was acknowledged, over all lives of the process. */
export class Books {
  /** Requests, each once however often it was sent, and when that was first. */
  readonly requests = new Map<Request, number>();
  readonly joins = new Map<string, number>();
  readonly tokens = new Map<string, string>();
  readonly ranks = new Map<string, { readonly rank: number; readonly turn: number }>();
  readonly keyed: Request[] = [];
  readonly #kept = new Map<string, string>();
  readonly #places = new Map<string, { readonly userId: string; readonly number: number }>();
  readonly #left = new Set<string>();
  readonly #held = new Map<string, { readonly userId: string; readonly seatIds: readonly string[] }>();
  readonly #released = new Set<string>();
  readonly #entries = new Map<string, { readonly amount: number; readonly balanceAfter: number }>();
  readonly #receipts = new Map<string, string>();
  readonly #refunded = new Set<string>();

  ask({ request, turn }: Asked): void {
    const { userId, wish, key } = request;
    if (!this.requests.has(request)) {
      this.requests.set(request, turn);
      if (key !== null) this.keyed.push(request);
    }
    if (wish.kind === 'join') this.joins.set(userId, (this.joins.get(userId) ?? 0) + 1);
  }

  /** How many different requests there were of this kind. */
  count(isMeant: (request: Request) => boolean): number {
    let count = 0;
    for (const request of this.requests.keys()) if (isMeant(request)) count += 1;
    return count;
  }

  acknowledge({ request, answer }: Asked): void {
    if (!answer) return;
    const { wish, userId, key } = request;
    const { status } = answer;
    if (key !== null && typeof answer.body === 'string') this.#keepAnswer(`${userId} ${key}`, answer.body);
    if (status >= 300) return;
    const body = bodyOf(answer);
    switch (wish.kind) {
      case 'join': {
        const { placeId, number } = readToken(body.token);
        this.tokens.set(placeId, body.token);
        this.#places.set(placeId, { userId, number });
        return;
      }
      case 'leave':
        this.#left.add(wish.place.id);
        return;
      case 'hold':
      case 'best': {
        const seatIds = body.seats.map(({ id }: { id: string }) => id);
        this.#held.set(body.id, { userId, seatIds });
        return;
      }
      case 'release':
        this.#released.add(wish.reservation.id);
        return;
      case 'charge':
        this.#entries.set(body.entry.id, body.entry);
        return;
      case 'pay': {
        const { refundedAt: _, ...receipt } = body;
        const text = JSON.stringify(receipt);
        const known = this.#receipts.get(body.id) ?? text;
        keep('a receipt never changes', known === text, () => [known, text]);
        this.#receipts.set(body.id, text);
        return;
      }
      case 'refund':
        this.#refunded.add(wish.payment.id);
        return;
      case 'poll':
      case 'policy':
      case 'move lines':
      case 'expire holds':
        return;
    }
  }

  #keepAnswer(name: string, text: string): void {
    const known = this.#kept.get(name) ?? text;
    keep(SAME_KEY, known === text, () => [known, text]);
    this.#kept.set(name, text);
  }

  /** All that was acknowledged is in the tables, whatever has happened since. */
  checkKept({ places, reservations, entries, payments }: Tables): void {
    const placeById = new Map(places.map((place) => [place.id, place]));
    for (const [id, { userId, number }] of this.#places) {
      const place = placeById.get(id);
      keep(LOST, place?.userId === userId && place.number === number, () => ['place', id, place]);
    }
    for (const id of this.#left) {
      const place = placeById.get(id);
      keep(LOST, place !== undefined && place.status !== 'WAITING', () => ['leaving', id, place]);
    }
    for (const [id, { userId, seatIds }] of this.#held) {
      const row = reservations.get(id);
      const isSame = row?.userId === userId && row.seatIds.join() === seatIds.join();
      keep(LOST, isSame, () => ['hold', id, seatIds, row]);
    }
    for (const id of this.#released)
      keep(LOST, reservations.get(id)?.status === 'CANCELLED', () => ['release', reservations.get(id)]);
    const entryById = new Map(entries.map((entry) => [entry.id, entry]));
    for (const [id, { amount, balanceAfter }] of this.#entries) {
      const entry = entryById.get(id);
      const isSame = entry?.amount === amount && entry.balanceAfter === balanceAfter;
      keep(LOST, isSame, () => ['charge', amount, entry]);
    }
    for (const [id, text] of this.#receipts)
      keep(LOST, payments.get(id)?.receipt === text, () => ['payment', text, payments.get(id)]);
    for (const id of this.#refunded) {
      const payment = payments.get(id);
      keep(LOST, payment !== undefined && payment.refundedAtMs !== null, () => ['refund', payment]);
    }
  }
}

/** The body of an answer; one that was given under a key is text. */
export const bodyOf = ({ body }: Outcome): Outcome['body'] =>
  typeof body === 'string' && body !== '' ? JSON.parse(body) : body;
