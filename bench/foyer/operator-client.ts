import { setTimeout as sleep } from 'node:timers/promises';
import { type Static, type TSchema, Type } from 'typebox';
import { parse } from '../../test/support/machine/parse.js';
import { OPERATOR } from '../../test/support/server.js';
import type { FoyerServer } from './server.js';

const SessionSchema = Type.Object({ accessToken: Type.String() });
const StatsSchema = Type.Object({ waiting: Type.Integer(), active: Type.Integer(), done: Type.Integer() });
const AnyObjectSchema = Type.Object({});
const STATS_INTERVAL_MS = 20;
const ADMIT_MAX_MS = 60_000;

export type Stats = Static<typeof StatsSchema>;

/** Prepares a sale over the operator API and checks its state. */
export interface OperatorClient {
  readStats(concertId: string): Promise<Stats>;
  changePolicy(concertId: string, patch: object): Promise<void>;
  addConcert(concert: object): Promise<void>;
  waitUntilActive(concertId: string, count: number): Promise<void>;
}

export async function signInAsOperator({ url }: FoyerServer): Promise<OperatorClient> {
  const { accessToken } = await call(SessionSchema, 'POST', '/sessions', OPERATOR);

  async function call<Schema extends TSchema>(
    schema: Schema,
    method: string,
    path: string,
    body?: object,
    token?: string,
  ): Promise<Static<Schema>> {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok)
      throw new Error(`${method} ${path} returned ${response.status} ${await response.text()}`);
    return parse(schema, await response.json(), `the response to ${method} ${path}`);
  }

  const readStats = (concertId: string): Promise<Stats> =>
    call(StatsSchema, 'GET', `/operator/concerts/${concertId}/stats`, undefined, accessToken);

  return {
    readStats,
    async changePolicy(concertId, patch) {
      const path = `/operator/concerts/${concertId}/waiting-room`;
      await call(AnyObjectSchema, 'PATCH', path, patch, accessToken);
    },
    async addConcert(concert) {
      await call(AnyObjectSchema, 'POST', '/operator/concerts', concert, accessToken);
    },
    async waitUntilActive(concertId, count) {
      const deadlineMs = performance.now() + ADMIT_MAX_MS;
      while ((await readStats(concertId)).active < count) {
        if (performance.now() > deadlineMs)
          throw new Error(`${count} places were not active within ${ADMIT_MAX_MS / 1000} s`);
        await sleep(STATS_INTERVAL_MS);
      }
    },
  };
}
