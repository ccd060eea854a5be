import { Type } from 'typebox';
import { iso } from '../../kernel/time.js';
import type { Enqueue } from '../../mail/index.js';
import type { Sql } from '../../platform/sql/index.js';
import {
  closed,
  Id,
  IdParams,
  type Identify,
  listOf,
  PageQuery,
  pageOfRows,
  type Routes,
  Timestamp,
} from '../../platform/web/index.js';
import { invitationMail } from '../mailed-links/mails.js';
import { Email, Name } from '../schemas.js';
import type { InviteOperator } from './invite-operator.js';
import { listOperators, type OperatorRow } from './queries.js';
import { removeOperator } from './remove-operator.js';

const OperatorAnswer = closed({
  id: Id,
  email: Type.String(),
  name: Type.String(),
  status: Type.Unsafe<'ACTIVE' | 'INVITED'>({ type: 'string', enum: ['ACTIVE', 'INVITED'] }),
  createdAt: Timestamp,
});

const toAnswer = ({ id, email, name, role, createdAtMs }: OperatorRow) => ({
  id,
  email,
  name,
  status: role === 'OPERATOR' ? ('ACTIVE' as const) : ('INVITED' as const),
  createdAt: iso(createdAtMs),
});

interface Deps {
  readonly sql: Sql;
  readonly identify: Identify;
  readonly inviteOperator: InviteOperator;
  readonly enqueueMail: Enqueue;
}

const tags = ['Operator'];
const COMMON_REFUSALS = ['ACCESS_DENIED', 'FORBIDDEN', 'USER_NOT_FOUND'] as const;

/** The credential `operator` lets only operators call these. */
export const operatorRoutes =
  ({ sql, identify, inviteOperator, enqueueMail }: Deps): Routes =>
  (app) => {
    app.get(
      '/operator/operators',
      {
        schema: {
          tags,
          summary: 'All operators and those who are invited, newest account first',
          querystring: PageQuery,
          response: { 200: listOf(OperatorAnswer) },
        },
        config: { credential: 'operator', refuses: COMMON_REFUSALS },
      },
      (request) =>
        pageOfRows(
          request.query,
          (before, limit) => sql.reader.all(listOperators, [...before, limit, sql.nowMs()]),
          toAnswer,
          (row) => [row.createdAtMs, row.id],
        ),
    );

    app.post(
      '/operator/operators',
      {
        schema: {
          tags,
          summary: 'Invite an operator by mail; again to send another link',
          body: closed({ email: Email, name: Name }),
          response: { 201: OperatorAnswer },
        },
        config: { credential: 'operator', refuses: [...COMMON_REFUSALS, 'ALREADY_OPERATOR'] },
      },
      async (request, reply) => {
        const { userId } = identify(request);
        const { user } = await sql.transaction(async (tx) => {
          const invitation = await inviteOperator(tx, userId, request.body);
          const { link, expiresAtMs } = invitation;
          await enqueueMail(tx, { ...invitationMail(link), to: invitation.user.email, expiresAtMs });
          return invitation;
        });
        return reply.code(201).send(toAnswer(user));
      },
    );

    app.delete(
      '/operator/operators/:id',
      {
        schema: {
          tags,
          summary: 'Remove another operator, or take an invitation back',
          params: IdParams,
          response: { 204: Type.Null() },
        },
        config: {
          credential: 'operator',
          refuses: [...COMMON_REFUSALS, 'CANNOT_REMOVE_YOURSELF', 'OPERATOR_NOT_FOUND'],
        },
      },
      async (request, reply) => {
        const { userId } = identify(request);
        await sql.transaction((tx) => removeOperator(tx, userId, request.params.id));
        return reply.code(204).send(null);
      },
    );
  };
