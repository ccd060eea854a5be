import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { emailKeyOf } from '../../kernel/credentials.js';
import { closed, disconnectSignal, type Identify, NoBody, type Routes } from '../../platform/web/index.js';
import type { User } from '../queries.js';
import type { AccountsLimit } from '../routes.js';
import { Email, NewPassword } from '../schemas.js';
import type { PasswordReset } from './reset-password.js';

/** Refuses with `TOO_MANY_REQUESTS`. */
export interface MailedLinksLimit {
  /** A mail to this address, known or not. */
  requestMail(request: FastifyRequest, emailKey: string): Promise<void>;
  /** The same, but false instead of a refusal if the address gets no more mails for a while. */
  mayMailAddress(request: FastifyRequest, emailKey: string): Promise<boolean>;
  /** A token, right or wrong. */
  useMailedLink(request: FastifyRequest): Promise<void>;
}

interface Deps {
  readonly identify: Identify;
  readonly limit: MailedLinksLimit & Pick<AccountsLimit, 'rememberNetwork'>;
  readonly requireUser: (userId: string) => Promise<User>;
  readonly requestPasswordReset: (email: string) => Promise<void>;
  /** Returns the id of the user. */
  readonly resetPassword: (reset: PasswordReset) => Promise<string>;
  readonly verifyEmail: { request(user: User): Promise<void>; confirm(token: string): Promise<void> };
}

const tags = ['Accounts'];
const Accepted = closed({});
const TOKEN_MAX = 100;
const TokenParams = closed({ token: Type.String({ minLength: 1, maxLength: TOKEN_MAX }) });

export const mailedLinkRoutes =
  ({ identify, limit, requireUser, requestPasswordReset, resetPassword, verifyEmail }: Deps): Routes =>
  (app) => {
    app.post(
      '/password-resets',
      {
        schema: {
          tags,
          summary: 'Mail a link that sets a new password, if the address has an account',
          body: closed({ email: Email }),
          response: { 202: Accepted },
        },
        config: { refuses: ['TOO_MANY_REQUESTS'] },
      },
      async (request, reply) => {
        const { email } = request.body;
        // Always 202: a refusal would tell that a reset was asked for before.
        if (await limit.mayMailAddress(request, emailKeyOf(email))) await requestPasswordReset(email);
        return reply.code(202).send({});
      },
    );

    app.post(
      '/password-resets/:token',
      {
        schema: {
          tags,
          summary: 'Set a new password with the token of a mailed link, and sign out everywhere',
          params: TokenParams,
          body: closed({ newPassword: NewPassword }),
          response: { 204: Type.Null() },
        },
        config: { refuses: ['RESET_TOKEN_INVALID', 'TOO_MANY_REQUESTS'] },
      },
      async (request, reply) => {
        await limit.useMailedLink(request);
        const userId = await resetPassword({
          ...request.params,
          ...request.body,
          client: request.ip,
          signal: disconnectSignal(reply),
        });
        // Otherwise guessing could refuse the owner who signs in next.
        await limit.rememberNetwork(request, emailKeyOf((await requireUser(userId)).email));
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/email-verifications',
      {
        schema: {
          tags,
          summary: 'Mail a link that verifies your address, unless it is verified',
          body: NoBody,
          response: { 202: Accepted },
        },
        config: { credential: 'access', refuses: ['USER_NOT_FOUND', 'TOO_MANY_REQUESTS'] },
      },
      async (request, reply) => {
        const user = await requireUser(identify(request).userId);
        await limit.requestMail(request, emailKeyOf(user.email));
        await verifyEmail.request(user);
        return reply.code(202).send({});
      },
    );

    app.post(
      '/email-verifications/:token',
      {
        schema: {
          tags,
          summary: 'Verify an address with the token of a mailed link',
          params: TokenParams,
          body: NoBody,
          response: { 204: Type.Null() },
        },
        config: { refuses: ['VERIFICATION_TOKEN_INVALID', 'TOO_MANY_REQUESTS'] },
      },
      async (request, reply) => {
        await limit.useMailedLink(request);
        await verifyEmail.confirm(request.params.token);
        return reply.code(204).send(null);
      },
    );
  };
