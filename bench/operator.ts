import { setTimeout as sleep } from 'node:timers/promises';
import { type Static, type TSchema, Type } from 'typebox';
import { parse } from '../test/support/machine/parse.js';
import { OPERATOR } from '../test/support/server.js';
import type { Server } from './servers.js';

const SessionSchema = Type.Object({ accessToken: Type.String() });
const StatsSchema = Type.Object({ waiting: Type.Integer(), active: Type.Integer(), done: Type.Integer() });
const LOOK_EVERY_MS = 20;
const WAIT_MAX_MS = 60_000;

export type Stats = Static<typeof StatsSchema>;

export interface Operator {
  stats(concertId: string): Promise<Stats>;
  changePolicy(concertId: string, patch: object): Promise<void>;
  addConcert(concert: object): Promise<void>;
  /** Waits until so many are inside. */
  untilActive(concertId: string, count: number): Promise<void>;
}

/** Signs in as the promoter, to set the stage and to check what came of it. */
export async function signIn({ url }: Server): Promise<Operator> {
  const { accessToken } = await call(SessionSchema, 'POST', '/sessions', OPERATOR);

  async function call<Schema extends TSchema>(
    schema: Schema,
    method: string,
    path: string,
    body?: object,
    token?: string,
  ): Promise<Static<Schema>> {
    const headers = {
      ...(body && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status} ${await answer.text()}`);
    return parse(schema, await answer.json(), `the answer to ${method} ${path}`);
  }

  const stats = (concertId: string): Promise<Stats> =>
    call(StatsSchema, 'GET', `/operator/concerts/${concertId}/stats`, undefined, accessToken);
  const Anything = Type.Object({});

  return {
    stats,
    async changePolicy(concertId, patch) {
      const path = `/operator/concerts/${concertId}/waiting-room`;
      await call(Anything, 'PATCH', path, patch, accessToken);
    },
    async addConcert(concert) {
      await call(Anything, 'POST', '/operator/concerts', concert, accessToken);
    },
    async untilActive(concertId, count) {
      const giveUpAtMs = performance.now() + WAIT_MAX_MS;
      while ((await stats(concertId)).active < count) {
        if (performance.now() > giveUpAtMs) throw new Error(`${count} were not let in within a minute`);
        await sleep(LOOK_EVERY_MS);
      }
    },
  };
}
