import type { FastifyRequest } from 'fastify';
import { emailKeyOf } from '../kernel/credentials.js';
import type { Identify, Routes } from '../platform/web/index.js';
import type { User } from './queries.js';
import { SessionAnswer, SignInBody, SignUpBody, UserAnswer } from './schemas.js';
import type { Session } from './session.js';
import type { Credentials } from './sign-in.js';
import type { NewAccount } from './sign-up.js';

/** Rate limits against password guessing and mass sign-ups. Refuses with `TOO_MANY_REQUESTS`. */
export interface AccountsLimit {
  signUp(request: FastifyRequest): Promise<void>;
  signIn(request: FastifyRequest, emailKey: string): Promise<void>;
}

interface Deps {
  readonly identify: Identify;
  readonly limit: AccountsLimit;
  readonly signUp: (account: NewAccount) => Promise<Session>;
  readonly signIn: (credentials: Credentials) => Promise<Session>;
  readonly requireUser: (userId: string) => Promise<User>;
}

const tags = ['Accounts'];

export const accountRoutes =
  ({ identify, limit, signUp, signIn, requireUser }: Deps): Routes =>
  (app) => {
    app.post(
      '/users',
      {
        schema: { tags, summary: 'Sign up', body: SignUpBody, response: { 201: SessionAnswer } },
        config: { refuses: ['INVALID_REQUEST', 'EMAIL_TAKEN', 'TOO_MANY_REQUESTS', 'UNAVAILABLE'] },
      },
      async (request, reply) => {
        await limit.signUp(request);
        return reply.code(201).send(await signUp(request.body));
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
        return reply.code(201).send(await signIn(request.body));
      },
    );

    app.get(
      '/users/me',
      {
        schema: { tags, summary: 'Who am I', response: { 200: UserAnswer } },
        config: { refuses: ['ACCESS_DENIED', 'USER_NOT_FOUND'], credential: 'either' },
      },
      (request) => requireUser(identify(request).userId),
    );
  };
