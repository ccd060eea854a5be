import { type Answer, type Client } from './client.js';
import { readToken } from './forge.js';
import type { Books, LoadFan } from './kill-books.js';
import { newKey, PRICE } from './sale.js';

export interface LoadOptions {
  readonly client: Client;
  readonly fans: readonly LoadFan[];
  readonly books: Books;
  readonly concertId: string;
  readonly scheduleId: string;
  readonly seatIds: readonly string[];
  readonly concurrency: number;
}

const LEAVE_SHARE = 0.03;
const RELEASE_SHARE = 0.1;

/** Fans going through the sale as fast as they can, many at once, until the connection breaks. */
export async function runLoad(options: LoadOptions): Promise<void> {
  const { fans, concurrency } = options;
  const shares = Array.from({ length: concurrency }, (_, share) =>
    fans.filter((_fan, index) => index % concurrency === share),
  );
  await Promise.all(shares.map((share) => new Loader(options, share).run()));
}

class ConnectionLost extends Error {}

class Loader {
  readonly #options: LoadOptions;
  readonly #fans: readonly LoadFan[];

  constructor(options: LoadOptions, fans: readonly LoadFan[]) {
    this.#options = options;
    this.#fans = fans;
  }

  async run(): Promise<void> {
    try {
      for (;;) for (const fan of this.#fans) await this.#step(fan);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
    }
  }

  #step(fan: LoadFan): Promise<void> {
    if (!fan.place) return this.#join(fan);
    if (fan.place.status === 'WAITING')
      return Math.random() < LEAVE_SHARE
        ? this.#leave(fan, fan.place.token)
        : this.#poll(fan, fan.place.token);
    if (!fan.hold) return this.#hold(fan, fan.place.token);
    if (!fan.hold.isFunded) return this.#charge(fan);
    return Math.random() < RELEASE_SHARE
      ? this.#release(fan, fan.hold.id)
      : this.#pay(fan, fan.place.token, fan.hold.id);
  }

  async #join(fan: LoadFan): Promise<void> {
    const { client, concertId } = this.#options;
    const answer = await sent(client.post(`/concerts/${concertId}/queue-tokens`, fan.accessToken));
    this.#stands(fan, answer);
  }

  async #poll(fan: LoadFan, token: string): Promise<void> {
    this.#stands(fan, await sent(this.#options.client.get('/queue-tokens/me', token)));
  }

  /** Notes how a place stands, and that its rank has not grown. */
  #stands(fan: LoadFan, { status, text, body }: Answer): void {
    if (status !== 200 && status !== 201) throw new Error(`a place was refused: ${text}`);
    const { places } = this.#options.books;
    const token: string = body.token;
    const number = Number(readToken(token).claims['num']);
    const known = places.get(token) ?? { fan, token, number, rank: Infinity, end: undefined };
    places.set(token, known);
    if (body.rank > known.rank) throw new Error(`a rank grew from ${known.rank} to ${body.rank}`);
    if (body.status === 'WAITING') known.rank = body.rank;
    fan.place = { token, status: body.status };
  }

  async #leave(fan: LoadFan, token: string): Promise<void> {
    const { books, client } = this.#options;
    books.endInDoubt.add(token);
    const { status, text } = await sent(client.delete('/queue-tokens/me', token));
    if (status !== 204) throw new Error(`leaving was refused: ${text}`);
    books.endInDoubt.delete(token);
    books.places.get(token)!.end = 'LEFT';
    fan.place = undefined;
  }

  async #hold(fan: LoadFan, token: string): Promise<void> {
    const { books, client, scheduleId, seatIds } = this.#options;
    const first = Math.floor(Math.random() * (seatIds.length - 1));
    const wanted = seatIds.slice(first, first + 1 + Math.round(Math.random()));
    const { status, text, body } = await sent(
      client.post('/reservations', token, { scheduleId, seatIds: wanted }),
    );
    if (status === 409 && body.code === 'ALREADY_RESERVED_SEAT') return;
    if (status !== 201) throw new Error(`a hold was refused: ${text}`);
    books.holds.set(body.id, { fan, body, end: undefined });
    fan.hold = { id: body.id, isFunded: false };
  }

  /** Enough for any hold, and a different amount each time: what was done twice shows. */
  async #charge(fan: LoadFan): Promise<void> {
    fan.charges += 1;
    const body = { amount: 2 * PRICE + fan.charges };
    const answer = await this.#keyed(fan, 'charge', '/wallet/charges', fan.accessToken, body);
    noteCharge(this.#options.books, fan, body.amount, answer);
    if (fan.hold) fan.hold.isFunded = true;
  }

  async #release(fan: LoadFan, id: string): Promise<void> {
    const { books, client } = this.#options;
    books.endInDoubt.add(id);
    const { status, text } = await sent(client.delete(`/reservations/${id}`, fan.accessToken));
    if (status !== 204) throw new Error(`a release was refused: ${text}`);
    books.endInDoubt.delete(id);
    books.holds.get(id)!.end = 'CANCELLED';
    fan.hold = undefined;
  }

  async #pay(fan: LoadFan, token: string, reservationId: string): Promise<void> {
    const { books } = this.#options;
    books.endInDoubt.add(token).add(reservationId);
    const answer = await this.#keyed(fan, 'pay', '/payments', token, { reservationId });
    notePayment(books, fan, token, reservationId, answer);
    fan.place = undefined;
    fan.hold = undefined;
  }

  async #keyed(
    fan: LoadFan,
    what: 'charge' | 'pay',
    path: string,
    token: string,
    body: Readonly<Record<string, unknown>>,
  ): Promise<Answer & { key: string }> {
    const key = newKey();
    const { inDoubt } = this.#options.books;
    const doubt = { fan, what, key, path, token, body };
    inDoubt.push(doubt);
    const answer = await sent(this.#options.client.post(path, token, body, key));
    inDoubt.splice(inDoubt.indexOf(doubt), 1);
    return { ...answer, key };
  }
}

function noteCharge(books: Books, fan: LoadFan, amount: number, { status, text, body }: Answer): void {
  if (status !== 201) throw new Error(`a charge was refused: ${text}`);
  books.charges.set(body.entry.id, { fan, amount, entry: body.entry });
}

function notePayment(
  books: Books,
  fan: LoadFan,
  token: string,
  reservationId: string,
  { status, text, body, key }: Answer & { key: string },
): void {
  if (status !== 201) throw new Error(`a payment was refused: ${text}`);
  books.endInDoubt.delete(token);
  books.endInDoubt.delete(reservationId);
  books.payments.set(body.id, { fan, token, key, reservationId, text, id: body.id });
  books.holds.get(reservationId)!.end = 'CONFIRMED';
  books.places.get(token)!.end = 'DONE';
}

/** Asks again, with the same key, for what was never answered: a client that lost the answer can always get it. */
export async function settleDoubts(client: Client, books: Books): Promise<number> {
  const doubts = books.inDoubt.splice(0);
  for (const { fan, what, key, path, token, body } of doubts) {
    const answer = { ...(await client.post(path, token, body, key)), key };
    if (what === 'charge') noteCharge(books, fan, Number(body['amount']), answer);
    else notePayment(books, fan, token, String(body['reservationId']), answer);
  }
  return doubts.length;
}

async function sent(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    throw new ConnectionLost('the server is gone', { cause: error });
  }
}
