import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { AccessCaller } from '../kernel/caller.js';
import { emailKeyOf } from '../kernel/credentials.js';
import { denied } from '../kernel/refusal.js';
import type { Sql } from '../platform/sql/index.js';
import { disconnectSignal, type Identify, type Routes } from '../platform/web/index.js';
import { type PasswordChange, revokeSessions } from './credentials.js';
import type { User } from './queries.js';
import type { Revocations } from './revocations.js';
import { PasswordBody, SessionAnswer, SignInBody, SignUpBody, UserAnswer } from './schemas.js';
import type { Session } from './session.js';
import type { Credentials } from './sign-in.js';
import type { NewAccount } from './sign-up.js';

/** Rate limits against password guessing and mass sign-ups. Refuses with `TOO_MANY_REQUESTS`. */
export interface AccountsLimit {
  signUp(request: FastifyRequest): Promise<void>;
  signIn(request: FastifyRequest, emailKey: string): Promise<void>;
  /** The client has proved to own the account: strangers who guess from other networks cannot lock it out. */
  rememberNetwork(request: FastifyRequest, emailKey: string): Promise<void>;
}

interface Deps {
  readonly sql: Sql;
  readonly identify: Identify;
  readonly limit: AccountsLimit;
  readonly signUp: (account: NewAccount) => Promise<Session>;
  readonly signIn: (credentials: Credentials) => Promise<Session>;
  readonly requireUser: (userId: string) => Promise<User>;
  readonly changePassword: (caller: AccessCaller, change: PasswordChange) => Promise<void>;
  readonly revocations: Pick<Revocations, 'revokeSession' | 'requireCapacity'>;
}

const tags = ['Accounts'];

export const accountRoutes =
  ({ sql, identify, limit, signUp, signIn, requireUser, changePassword, revocations }: Deps): Routes =>
  (app) => {
    const accountOf = (request: FastifyRequest): AccessCaller => {
      const caller = identify(request);
      if (caller.kind !== 'access') throw denied('INVALID');
      return caller;
    };

    app.post(
      '/users',
      {
        schema: { tags, summary: 'Sign up', body: SignUpBody, response: { 201: SessionAnswer } },
        config: { refuses: ['INVALID_REQUEST', 'EMAIL_TAKEN', 'TOO_MANY_REQUESTS', 'UNAVAILABLE'] },
      },
      async (request, reply) => {
        await limit.signUp(request);
        const client = { client: request.ip, signal: disconnectSignal(reply) };
        const session = await signUp({ ...request.body, ...client });
        await limit.rememberNetwork(request, emailKeyOf(request.body.email));
        return reply.code(201).send(session);
      },
    );

    app.post(
      '/sessions',
      {
        schema: { tags, summary: 'Sign in', body: SignInBody, response: { 201: SessionAnswer } },
        config: { refuses: ['INVALID_REQUEST', 'WRONG_CREDENTIALS', 'TOO_MANY_REQUESTS', 'UNAVAILABLE'] },
      },
      async (request, reply) => {
        await limit.signIn(request, emailKeyOf(request.body.email));
        const session = await signIn({
          ...request.body,
          client: request.ip,
          signal: disconnectSignal(reply),
        });
        await limit.rememberNetwork(request, emailKeyOf(request.body.email));
        return reply.code(201).send(session);
      },
    );

    app.delete(
      '/sessions/me',
      {
        schema: { tags, summary: 'Sign out on this device', response: { 204: Type.Null() } },
        config: { refuses: ['UNAVAILABLE'], credential: 'access' },
      },
      async (request, reply) => {
        const { userId, sessionId } = accountOf(request);
        if (sessionId === undefined) throw denied('INVALID');
        revocations.requireCapacity();
        await sql.transaction((tx) => revocations.revokeSession(tx, sessionId, userId));
        return reply.code(204).send(null);
      },
    );

    app.delete(
      '/sessions',
      {
        schema: { tags, summary: 'Sign out on every device', response: { 204: Type.Null() } },
        config: { refuses: ['USER_NOT_FOUND', 'UNAVAILABLE'], credential: 'access' },
      },
      async (request, reply) => {
        const { userId } = accountOf(request);
        revocations.requireCapacity();
        await sql.transaction((tx) => revokeSessions(tx, userId));
        return reply.code(204).send(null);
      },
    );

    app.get(
      '/users/me',
      {
        schema: { tags, summary: 'Who am I', response: { 200: UserAnswer } },
        config: { refuses: ['USER_NOT_FOUND'], credential: 'access' },
      },
      (request) => requireUser(accountOf(request).userId),
    );

    app.post(
      '/users/me/password',
      {
        schema: {
          tags,
          summary: 'Change your password and sign out on every device',
          body: PasswordBody,
          response: { 204: Type.Null() },
        },
        config: {
          refuses: ['USER_NOT_FOUND', 'WRONG_CREDENTIALS', 'TOO_MANY_REQUESTS', 'UNAVAILABLE'],
          credential: 'access',
        },
      },
      async (request, reply) => {
        const caller = accountOf(request);
        // The same limit as for signing in: a stolen token must not allow to guess the password.
        const { email } = await requireUser(caller.userId);
        await limit.signIn(request, emailKeyOf(email));
        await changePassword(caller, {
          ...request.body,
          client: request.ip,
          signal: disconnectSignal(reply),
        });
        return reply.code(204).send(null);
      },
    );
  };
