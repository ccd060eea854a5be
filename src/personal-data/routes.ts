import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { recordAudit } from '../audit/index.js';
import type { AccessCaller } from '../kernel/caller.js';
import { emailKeyOf, PASSWORD_MAX } from '../kernel/credentials.js';
import { denied } from '../kernel/refusal.js';
import type { Sql } from '../platform/sql/index.js';
import { closed, disconnectSignal, type Identify, type Limit, type Routes } from '../platform/web/index.js';
import type { EraseAccount } from './erase-account.js';
import { exportData } from './export-data.js';

const tags = ['Accounts'];

const ErasureBody = closed({
  password: Type.String({ maxLength: PASSWORD_MAX }),
  forfeitBalance: Type.Optional(
    Type.Boolean({ description: 'true: give up the balance. Otherwise an account with money is not erased' }),
  ),
});

export const personalDataRoutes =
  (deps: {
    readonly sql: Sql;
    readonly currency: string;
    readonly identify: Identify;
    readonly requireUser: (userId: string) => Promise<{ readonly id: string; readonly email: string }>;
    readonly eraseAccount: EraseAccount;
    readonly limit: {
      readonly exportData: Limit;
      readonly signIn: (request: FastifyRequest, emailKey: string) => Promise<void>;
    };
  }): Routes =>
  (app) => {
    const { sql, currency, identify, requireUser, eraseAccount, limit } = deps;
    const accountOf = (request: FastifyRequest): AccessCaller => {
      const caller = identify(request);
      if (caller.kind !== 'access') throw denied('INVALID');
      return caller;
    };

    app.get(
      '/users/me/export',
      {
        schema: { tags, summary: 'Everything that is stored about you, as a JSON file' },
        config: { refuses: ['USER_NOT_FOUND', 'TOO_MANY_REQUESTS'], credential: 'access' },
      },
      async (request, reply) => {
        const caller = accountOf(request);
        const { id } = await requireUser(caller.userId);
        await limit.exportData(request, caller);
        await sql.transaction((tx) =>
          recordAudit(tx, { actorId: id, action: 'PERSONAL_DATA_EXPORTED', details: {} }),
        );
        return reply
          .type('application/json; charset=utf-8')
          .header('content-disposition', 'attachment; filename="foyer-my-data.json"')
          .send(Readable.from(exportData(sql.reader, id, currency, sql.nowMs())));
      },
    );

    app.delete(
      '/users/me',
      {
        schema: {
          tags,
          summary: 'Delete your account: erases the person and keeps the books',
          body: ErasureBody,
          response: { 204: Type.Null() },
        },
        config: {
          refuses: [
            'USER_NOT_FOUND',
            'WRONG_CREDENTIALS',
            'BALANCE_NOT_ZERO',
            'OPERATOR_NOT_ERASABLE',
            'TOO_MANY_REQUESTS',
            'UNAVAILABLE',
          ],
          credential: 'access',
        },
      },
      async (request, reply) => {
        const caller = accountOf(request);
        // The same limit as for signing in: a stolen token must not allow to guess the password.
        const { email } = await requireUser(caller.userId);
        await limit.signIn(request, emailKeyOf(email));
        await eraseAccount(caller, { ...request.body, client: request.ip, signal: disconnectSignal(reply) });
        return reply.code(204).send(null);
      },
    );
  };
