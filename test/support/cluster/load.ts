import type { Answer, Client } from '../client.js';
import { readToken } from '../forge.js';
import { AcknowledgedWrites, type LoadFan } from '../acknowledged-writes.js';
import { newKey, PRICE, type Sale } from '../sale.js';
import { waitUntil } from '../machine/wait.js';
import type { Cluster } from './cluster.js';
import { type FinalAnswer, retryUntilAnswered } from './retry.js';

const LEAVE_SHARE = 0.02;
const RELEASE_SHARE = 0.1;

export interface LoadOptions {
  readonly cluster: Pick<Cluster, 'clients'>;
  readonly fans: readonly LoadFan[];
  readonly sale: Sale;
  readonly seatIds: readonly string[];
  /** Fans who act at the same time. */
  readonly concurrency?: number;
  /** How long a fan waits for a response before retrying at another process. */
  readonly answerMaxMs?: number;
}

export interface Load {
  /** Everything that was acknowledged. After `stop`, no request is without a response. */
  readonly books: AcknowledgedWrites;
  /** How many requests had to be retried. */
  readonly retries: () => number;
  /** Sends to the other processes from now on, like a load balancer after a failed health check. */
  stopSendingTo(index: number): void;
  /** Waits for `count` more payments. Returns how many ms that took. */
  waitForPayments(count: number): Promise<number>;
  /** Waits until every request has a response. Throws if one of them was unexpected. */
  stop(): Promise<void>;
}

/**
 * Fans go through the sale as fast as they can, with each step at another process. A step without a response is retried at
 * another process with the same key, so in the end the outcome of every step is known.
 */
export function startLoad(options: LoadOptions): Load {
  const { fans, concurrency = 20 } = options;
  const state: LoadState = {
    books: new AcknowledgedWrites(),
    clients: options.cluster.clients,
    retries: 0,
    isStopped: false,
    hasFailed: false,
  };
  const workers = Array.from({ length: concurrency }, (_, share) =>
    new LoadWorker(
      options,
      state,
      fans.filter((_fan, index) => index % concurrency === share),
    ).run(),
  );
  const ended = Promise.all(workers);
  // `stop` rethrows the error.
  ended.catch(() => {
    state.hasFailed = true;
  });
  return {
    books: state.books,
    retries: () => state.retries,
    stopSendingTo(index) {
      state.clients = options.cluster.clients.filter((_client, other) => other !== index);
    },
    async waitForPayments(count) {
      const startedAtMs = performance.now();
      const enough = state.books.payments.size + count;
      const isEnough = async (): Promise<boolean> => {
        // An unexpected response ends the wait immediately.
        if (state.hasFailed) await ended;
        return state.books.payments.size >= enough;
      };
      await waitUntil(`${count} payments`, isEnough);
      return Math.round(performance.now() - startedAtMs);
    },
    async stop() {
      state.isStopped = true;
      await ended;
    },
  };
}

interface LoadState {
  readonly books: AcknowledgedWrites;
  clients: readonly Client[];
  retries: number;
  isStopped: boolean;
  hasFailed: boolean;
}

class LoadWorker {
  readonly #options: LoadOptions;
  readonly #state: LoadState;
  readonly #fans: readonly LoadFan[];
  #clientIndex = Math.floor(Math.random() * 3);

  constructor(options: LoadOptions, state: LoadState, fans: readonly LoadFan[]) {
    this.#options = options;
    this.#state = state;
    this.#fans = fans;
  }

  async run(): Promise<void> {
    const isOver = (): boolean => this.#state.isStopped || this.#state.hasFailed;
    while (!isOver()) {
      for (const fan of this.#fans) if (!isOver()) await this.#step(fan);
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

  async #send(send: (client: Client) => Promise<Answer>): Promise<FinalAnswer> {
    const nextClient = (): Client => {
      const { clients } = this.#state;
      return clients[(this.#clientIndex += 1) % clients.length]!;
    };
    const answer = await retryUntilAnswered(send, nextClient, this.#options.answerMaxMs);
    if (answer.wasRetried) this.#state.retries += 1;
    return answer;
  }

  async #join(fan: LoadFan): Promise<void> {
    const path = `/concerts/${this.#options.sale.concertId}/queue-tokens`;
    this.#recordPlace(fan, await this.#send((client) => client.post(path, fan.accessToken)));
  }

  async #poll(fan: LoadFan, token: string): Promise<void> {
    const answer = await this.#send((client) => client.get('/queue-tokens/me', token));
    expectEqual(answer, 'token', answer.body.token, token);
    this.#recordPlace(fan, answer);
  }

  /** Records the state of a place and checks that its rank has not grown. */
  #recordPlace(fan: LoadFan, answer: Answer): void {
    expectStatus('a place', answer, 200, 201);
    const { places } = this.#state.books;
    const { token, status, rank } = answer.body as { token: string; status: string; rank: number };
    const number = Number(readToken(token).claims['num']);
    const known = places.get(token) ?? { fan, token, number, rank: Infinity, end: undefined };
    places.set(token, known);
    if (rank > known.rank) throw new Error(`the rank of number ${number} grew from ${known.rank} to ${rank}`);
    if (status !== 'WAITING') expectEqual(answer, 'status', status, 'ACTIVE');
    known.rank = rank;
    fan.place = { token, status };
  }

  async #leave(fan: LoadFan, token: string): Promise<void> {
    expectStatus('leaving', await this.#send((client) => client.delete('/queue-tokens/me', token)), 204);
    this.#state.books.places.get(token)!.end = 'LEFT';
    fan.place = undefined;
  }

  async #hold(fan: LoadFan, token: string): Promise<void> {
    const { sale, seatIds } = this.#options;
    const first = Math.floor(Math.random() * (seatIds.length - 1));
    const wanted = seatIds.slice(first, first + 1 + Math.round(Math.random()));
    const body = { scheduleId: sale.scheduleIds[0], seatIds: wanted };
    const answer = await this.#postWithKey('/reservations', token, body);
    if (answer.status === 409 && answer.body.code === 'ALREADY_RESERVED_SEAT') return;
    expectStatus('a hold', answer, 201);
    this.#state.books.holds.set(answer.body.id, { fan, body: answer.body, end: undefined });
    fan.hold = { id: answer.body.id, isFunded: false };
  }

  /** Charges enough for any hold, and a different amount each time, so that a charge applied twice is found. */
  async #charge(fan: LoadFan): Promise<void> {
    fan.charges += 1;
    const amount = 2 * PRICE + fan.charges;
    const answer = await this.#postWithKey('/wallet/charges', fan.accessToken, { amount });
    expectStatus('a charge', answer, 201);
    this.#state.books.charges.set(answer.body.entry.id, { fan, amount, entry: answer.body.entry });
    if (fan.hold) fan.hold.isFunded = true;
  }

  async #release(fan: LoadFan, id: string): Promise<void> {
    const answer = await this.#send((client) => client.delete(`/reservations/${id}`, fan.accessToken));
    const wasReleasedBefore = answer.wasRetried && answer.body?.code === 'RESERVATION_NOT_HELD';
    if (!wasReleasedBefore) expectStatus('a release', answer, 204);
    this.#state.books.holds.get(id)!.end = 'CANCELLED';
    fan.hold = undefined;
  }

  async #pay(fan: LoadFan, token: string, reservationId: string): Promise<void> {
    const { books } = this.#state;
    const { key, ...answer } = await this.#postWithKey('/payments', token, { reservationId });
    expectStatus('a payment', answer, 201);
    const { id } = answer.body as { id: string };
    books.payments.set(id, { fan, token, key, reservationId, text: answer.text, id });
    books.holds.get(reservationId)!.end = 'CONFIRMED';
    books.places.get(token)!.end = 'DONE';
    fan.place = undefined;
    fan.hold = undefined;
  }

  async #postWithKey(path: string, token: string, body: unknown): Promise<FinalAnswer & { key: string }> {
    const key = newKey();
    return { ...(await this.#send((client) => client.post(path, token, body, key))), key };
  }
}

function expectStatus(what: string, { status, text }: Answer, ...wanted: number[]): void {
  if (!wanted.includes(status)) throw new Error(`${what} got the unexpected status ${status}: ${text}`);
}

function expectEqual({ text }: Answer, name: string, value: string, wanted: string): void {
  if (value !== wanted) throw new Error(`the ${name} is not ${wanted}: ${text}`);
}
