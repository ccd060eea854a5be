import { describe, expect, it } from 'vitest';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import {
  aConcert,
  aQueueToken,
  aReceipt,
  aReservation,
  aSchedule,
  aSeat,
  aSession,
  aUser,
  anEntry,
} from '../support/shapes.js';

interface Call {
  readonly call: string;
  readonly success: readonly number[];
  readonly refusals?: readonly string[];
  /** The members that the response schema must have. */
  readonly answer?: object;
  /** For a list: the members that the schema of each item must have. */
  readonly list?: object;
  readonly isKeyed?: boolean;
}

const GATE = ['401 ACCESS_DENIED', '403 ACCESS_DENIED', '404 USER_NOT_FOUND'];
const KEYED = ['400 INVALID_REQUEST', '422 IDEMPOTENCY_KEY_REUSED', '409 IDEMPOTENCY_KEY_IN_FLIGHT'];
const OPERATOR = ['401 ACCESS_DENIED', '403 FORBIDDEN'];
const CONCERT = [...OPERATOR, '404 CONCERT_NOT_FOUND'];
const POLICY = {
  maxActive: 0,
  admitCount: 0,
  admitEverySeconds: 0,
  activeSeconds: 0,
  idleSeconds: 0,
  showUpSeconds: 0,
  consumeOn: 0,
  holdSeconds: 0,
  maxSeatsPerUser: 0,
  paused: 0,
  closeWhenSoldOut: 0,
  notice: 0,
};
const STATS = {
  waiting: 0,
  active: 0,
  done: 0,
  expired: 0,
  left: 0,
  seatsTotal: 0,
  seatsHeld: 0,
  seatsSold: 0,
  revenue: 0,
  admittedLastMinute: 0,
  joinedLastMinute: 0,
};

const OVERVIEW = {
  concertId: '',
  saleState: '',
  soldOut: false,
  dates: [],
  grades: [],
  notice: '',
  serverTime: '',
};

/** The calls of the API contract with their success statuses and refusals. */
const CALLS: readonly Call[] = [
  {
    call: 'POST /users',
    success: [201],
    refusals: ['400 INVALID_REQUEST', '409 EMAIL_TAKEN', '429 TOO_MANY_REQUESTS'],
    answer: aSession,
  },
  {
    call: 'POST /sessions',
    success: [201],
    refusals: ['401 WRONG_CREDENTIALS', '429 TOO_MANY_REQUESTS'],
    answer: aSession,
  },
  {
    call: 'GET /users/me',
    success: [200],
    refusals: ['401 ACCESS_DENIED', '404 USER_NOT_FOUND'],
    answer: aUser,
  },
  {
    call: 'POST /password-resets',
    success: [202],
    refusals: ['400 INVALID_REQUEST', '429 TOO_MANY_REQUESTS'],
  },
  { call: 'POST /password-resets/{}', success: [204], refusals: ['410 RESET_TOKEN_INVALID'] },
  { call: 'POST /email-verifications', success: [202], refusals: ['401 ACCESS_DENIED'] },
  { call: 'POST /email-verifications/{}', success: [204], refusals: ['410 VERIFICATION_TOKEN_INVALID'] },
  {
    call: 'GET /operator/operators',
    success: [200],
    refusals: OPERATOR,
    list: { id: 0, email: 0, status: 0 },
  },
  { call: 'POST /operator/operators', success: [201], refusals: [...OPERATOR, '409 ALREADY_OPERATOR'] },
  {
    call: 'DELETE /operator/operators/{}',
    success: [204],
    refusals: [...OPERATOR, '409 CANNOT_REMOVE_YOURSELF', '404 OPERATOR_NOT_FOUND'],
  },
  { call: 'GET /operator/mailbox', success: [200], refusals: OPERATOR, list: { to: 0, subject: 0, text: 0 } },
  {
    call: 'POST /concerts/{}/queue-tokens',
    success: [200, 201],
    refusals: [
      '401 ACCESS_DENIED',
      '404 CONCERT_NOT_FOUND',
      '404 USER_NOT_FOUND',
      '409 SALES_NOT_OPEN',
      '409 SALES_CLOSED',
      '429 TOO_MANY_REQUESTS',
    ],
    answer: aQueueToken,
  },
  {
    call: 'GET /queue-tokens/me',
    success: [200],
    refusals: ['401 ACCESS_DENIED', '403 ACCESS_DENIED'],
    answer: aQueueToken,
  },
  { call: 'DELETE /queue-tokens/me', success: [204], refusals: ['401 ACCESS_DENIED'] },
  {
    call: 'GET /queue-tokens/me/events',
    success: [200],
    refusals: ['401 ACCESS_DENIED', '403 ACCESS_DENIED'],
  },
  { call: 'GET /concerts', success: [200], list: aConcert },
  { call: 'GET /concerts/{}', success: [200], refusals: ['404 CONCERT_NOT_FOUND'], answer: aConcert },
  { call: 'GET /concerts/{}/schedules', success: [200], refusals: GATE, list: aSchedule },
  {
    call: 'GET /schedules/{}/seats',
    success: [200],
    refusals: [...GATE, '404 SCHEDULE_NOT_FOUND'],
    list: aSeat,
  },
  { call: 'GET /schedules/{}/seats/events', success: [200], refusals: GATE },
  {
    call: 'GET /concerts/{}/overview',
    success: [200],
    refusals: ['404 CONCERT_NOT_FOUND'],
    answer: OVERVIEW,
  },
  {
    call: 'GET /schedules/{}/chart',
    success: [200, 304],
    refusals: [...GATE, '404 SCHEDULE_NOT_FOUND'],
  },
  {
    call: 'GET /schedules/{}/state',
    success: [200],
    refusals: [...GATE, '404 SCHEDULE_NOT_FOUND'],
    answer: { scheduleId: '', version: 0, seats: '' },
  },
  {
    call: 'POST /reservations',
    success: [201],
    refusals: [
      ...GATE,
      ...KEYED,
      '409 ALREADY_RESERVED_SEAT',
      '404 SCHEDULE_NOT_FOUND',
      '404 SEAT_NOT_FOUND',
      '409 SEAT_LIMIT_EXCEEDED',
      '409 SCHEDULE_CLOSED',
      '429 TOO_MANY_REQUESTS',
    ],
    answer: aReservation,
    isKeyed: true,
  },
  {
    call: 'POST /reservations/best',
    success: [201],
    refusals: [
      ...GATE,
      ...KEYED,
      '409 NO_SEATS_TOGETHER',
      '404 SCHEDULE_NOT_FOUND',
      '409 SEAT_LIMIT_EXCEEDED',
      '409 SCHEDULE_CLOSED',
      '429 TOO_MANY_REQUESTS',
    ],
    answer: aReservation,
    isKeyed: true,
  },
  { call: 'GET /reservations', success: [200], refusals: ['401 ACCESS_DENIED'], list: aReservation },
  {
    call: 'GET /reservations/{}',
    success: [200],
    refusals: ['404 RESERVATION_NOT_FOUND'],
    answer: aReservation,
  },
  {
    call: 'DELETE /reservations/{}',
    success: [204],
    refusals: ['404 RESERVATION_NOT_FOUND', '409 RESERVATION_NOT_HELD'],
  },
  {
    call: 'GET /wallet',
    success: [200],
    refusals: ['401 ACCESS_DENIED', '404 USER_NOT_FOUND'],
    answer: { balance: 0, currency: '' },
  },
  {
    call: 'POST /wallet/charges',
    success: [201],
    refusals: [...KEYED, '400 INVALID_AMOUNT', '422 BALANCE_LIMIT_EXCEEDED', '404 USER_NOT_FOUND'],
    answer: { balance: 0, currency: '', entry: anEntry },
    isKeyed: true,
  },
  { call: 'GET /wallet/entries', success: [200], refusals: ['401 ACCESS_DENIED'], list: anEntry },
  {
    call: 'POST /payments',
    success: [200, 201],
    refusals: [
      ...GATE,
      ...KEYED,
      '402 NOT_ENOUGH_BALANCE',
      '409 RESERVATION_EXPIRED',
      '409 RESERVATION_NOT_HELD',
      '404 RESERVATION_NOT_FOUND',
    ],
    answer: aReceipt,
    isKeyed: true,
  },
  { call: 'GET /payments', success: [200], refusals: ['401 ACCESS_DENIED'], list: aReceipt },
  { call: 'GET /payments/{}', success: [200], refusals: ['401 ACCESS_DENIED'], answer: aReceipt },
  { call: 'POST /operator/concerts', success: [201], refusals: OPERATOR, answer: { id: '', schedules: [] } },
  {
    call: 'GET /operator/schedules/{}/chart',
    success: [200, 304],
    refusals: [...OPERATOR, '404 SCHEDULE_NOT_FOUND'],
  },
  {
    call: 'GET /operator/schedules/{}/state',
    success: [200],
    refusals: [...OPERATOR, '404 SCHEDULE_NOT_FOUND'],
  },
  { call: 'PATCH /operator/concerts/{}', success: [200], refusals: CONCERT },
  { call: 'PATCH /operator/concerts/{}/waiting-room', success: [200], refusals: CONCERT, answer: POLICY },
  { call: 'GET /operator/concerts/{}/stats', success: [200], refusals: CONCERT, answer: STATS },
  { call: 'GET /operator/concerts/{}/reservations', success: [200], refusals: CONCERT, list: aReservation },
  { call: 'GET /operator/concerts/{}/payments', success: [200], refusals: CONCERT, list: aReceipt },
];

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >;
}

for (const database of DATABASES) {
  describe(`the OpenAPI document on ${database.name}`, () => {
    const foyer = useFoyer(database);

    async function operations(): Promise<Map<string, Operation>> {
      const response = await fetch(`${foyer.url}/openapi.json`);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
      const { openapi, paths } = (await response.json()) as {
        openapi: string;
        paths: Record<string, Record<string, Operation>>;
      };
      expect(openapi).toMatch(/^3\./);
      return new Map(
        Object.entries(paths).flatMap(([path, methods]) =>
          Object.entries(methods).map(([method, operation]): [string, Operation] => {
            const normalized = path.replace('/api/v1', '').replaceAll(/\{\w+\}/g, '{}');
            return [`${method.toUpperCase()} ${normalized}`, operation];
          }),
        ),
      );
    }

    const contentOf = (operation: Operation, status: number | string) =>
      operation.responses[String(status)]?.content ?? {};

    async function operationOf(call: string): Promise<Operation> {
      const operation = (await operations()).get(call);
      if (!operation) throw new Error(`${call} is not described`);
      return operation;
    }

    const parametersOf = ({ parameters = [] }: Operation, place: string): string[] =>
      parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);

    const expectMembers = (schema: Schema | undefined, members: object): void => {
      expect(Object.keys(schema?.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(members)));
    };

    it.each(CALLS)('describes the responses of $call', async ({ call, success, answer, list }) => {
      const operation = await operationOf(call);
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(success.map(String)));
      for (const status of success) {
        const schema = contentOf(operation, status)['application/json']?.schema;
        if (answer) expectMembers(schema, answer);
        if (list) expectMembers(schema, { items: [], nextCursor: null });
        if (list) expectMembers(schema?.properties?.['items']?.items, list);
      }
      if (list) expect(parametersOf(operation, 'query')).toEqual(expect.arrayContaining(['limit', 'cursor']));
    });

    it.each(CALLS.filter(({ refusals }) => refusals))(
      'lists the refusals of $call',
      async ({ call, refusals = [] }) => {
        const operation = await operationOf(call);
        for (const refusal of refusals) {
          const [status = '', code = ''] = refusal.split(' ');
          const problem = contentOf(operation, status)['application/problem+json'];
          expect(JSON.stringify(problem ?? null), refusal).toContain(`"${code}"`);
        }
      },
    );

    it.each(CALLS.filter(({ isKeyed }) => isKeyed))(
      'lists the Idempotency-Key header of $call',
      async ({ call }) => {
        expect(parametersOf(await operationOf(call), 'header')).toContain('Idempotency-Key');
      },
    );

    it.each(['/queue-tokens/me/events', '/schedules/{}/seats/events'])(
      'describes %s as an event stream',
      async (path) => {
        const operation = await operationOf(`GET ${path}`);
        expect(Object.keys(contentOf(operation, 200))).toContain('text/event-stream');
      },
    );

    it.each(['reservations', 'payments'])('offers the %s of a concert as CSV', async (name) => {
      const operation = await operationOf(`GET /operator/concerts/{}/${name}`);
      expect(Object.keys(contentOf(operation, 200))).toContain('text/csv');
    });
  });
}
