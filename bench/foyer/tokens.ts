/** Signs credentials with the server's secret, so that preparing a case does not require a sign-in or join per fan. */
import { createHmac } from 'node:crypto';
import { SECRET } from '../../test/support/server.js';

/** Longer than a run. */
const LIFETIME_SECONDS = 12 * 3600;

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

function sign(typ: string, claims: object): string {
  const signed = `${encode({ alg: 'HS256', typ })}.${encode({ ...claims, iss: 'foyer' })}`;
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}

const expiry = (): number => Math.floor(Date.now() / 1000) + LIFETIME_SECONDS;

export const signAccessToken = (userId: string): string => sign('access+jwt', { sub: userId, exp: expiry() });

export interface Place {
  readonly id: string;
  readonly userId: string;
  readonly number: number;
  readonly joinedAtMs: number;
}

/** As a join returns it, with an earlier expiry. */
export const signQueueToken = (concertId: string, { id, userId, number, joinedAtMs }: Place): string =>
  sign('queue+jwt', {
    sub: userId,
    aud: concertId,
    jti: id,
    num: number,
    at: joinedAtMs,
    ver: 0,
    exp: expiry(),
  });
