import { join } from 'node:path';
import { Type } from 'typebox';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWrites, purgeIdempotencyKeys, KEY_RETENTION_MS } from '../../src/http/index.js';
import { denied, Refusal, type RefusalCode } from '../../src/kernel/refusal.js';
import { createUserQueue } from '../../src/platform/rate-limit/index.js';
import { migrateSqlite, openSqlite, type Sql, statement, type Tx } from '../../src/platform/sql/index.js';
import { type Answer, closed, type Idempotently } from '../../src/platform/web/index.js';
import { createHttpApp } from '../support/http-app.js';
import { tempDirectory } from '../support/server.js';

const KEY = 'a-key-of-16-char';
const addUser = statement<[id: string]>(
  'add_user',
  `INSERT INTO users (id, email, email_key, name, role, password_hash, created_at)
   VALUES ($1, $1, $1, 'Fan', 'CUSTOMER', '', 0)`,
);
const openWallet = statement<[userId: string]>(
  'open_wallet',
  'INSERT INTO wallets (user_id, balance, entry_count) VALUES ($1, 0, 0)',
);
const addToWallet = statement<[userId: string, amount: number]>(
  'add_to_wallet',
  'UPDATE wallets SET balance = balance + $2 WHERE user_id = $1',
);
const readWallet = statement<[userId: string], { balance: number }>(
  'read_wallet',
  'SELECT balance AS "balance" FROM wallets WHERE user_id = $1',
);
const countKeys = statement<[], { count: number }>(
  'count_keys',
  'SELECT COUNT(*) AS "count" FROM idempotency_keys',
);

const directory = await tempDirectory();
let sql: Sql;
let nowMs = 1_800_000_000_000;
let users = 0;
let userId = '';

interface Outcome {
  readonly balance: number;
  readonly note?: string;
}
/** What the route does in its transaction; tests replace it. */
let work: (tx: Tx, amount: number) => Promise<Answer<Outcome>>;
let worked = 0;
let effects = 0;
let transactions = 0;

async function charge(tx: Tx, amount: number): Promise<Answer<Outcome>> {
  await tx.exec(addToWallet, [userId, amount]);
  tx.afterCommit(() => (effects += 1));
  const wallet = await tx.get(readWallet, [userId]);
  return { status: 201, body: { balance: wallet?.balance ?? NaN, note: 'not in the schema' } };
}

const balance = async () => (await sql.reader.get(readWallet, [userId]))?.balance;
const storedKeys = async () => (await sql.reader.get(countKeys, []))?.count;

const userQueue = createUserQueue();

/** Makes the next lookup miss the stored response, as if another transaction stored it concurrently. */
let isBlind = false;
const blindable = (store: Sql): Sql => ({
  reader: {
    all: (query, params) => store.reader.all(query, params),
    get(query, params) {
      if (!isBlind || query.name !== 'find_stored_response') return store.reader.get(query, params);
      isBlind = false;
      return Promise.resolve(undefined);
    },
  },
  desk: store.desk,
  isClustered: store.isClustered,
  nowMs: () => store.nowMs(),
  subscribe: (topic, listener) => {
    store.subscribe(topic, listener);
  },
  onFeedGap: (reread) => {
    store.onFeedGap(reread);
  },
  waitForChanges: () => store.waitForChanges(),
  purgeChangeFeed: () => store.purgeChangeFeed(),
  close: () => store.close(),
  transaction: (run) => {
    transactions += 1;
    return store.transaction(run);
  },
});

async function requireUser(id: string, reader: Pick<Tx, 'get'>): Promise<void> {
  if (!(await reader.get(readWallet, [id]))) throw new Refusal('USER_NOT_FOUND');
}
const idempotently: Idempotently = (request, reply, caller, run) =>
  createWrites({ sql: blindable(sql), requireUser, userQueue }).idempotently(request, reply, caller, run);

const { app, metrics } = createHttpApp([
  (routes) => {
    const schema = {
      body: closed({ amount: Type.Integer(), memo: Type.Optional(Type.Unknown()) }),
      response: { 201: closed({ balance: Type.Integer() }), 204: Type.Null() },
    };
    for (const url of ['/charges', '/other-charges'] as const) {
      routes.post(url, { schema }, async (request, reply) => {
        const caller = { kind: 'access', userId, credentialVersion: 0, sessionId: undefined } as const;
        await idempotently(request, reply, caller, (tx) => {
          worked += 1;
          return work(tx, request.body.amount);
        });
        return reply;
      });
    }
  },
]);

beforeAll(async () => {
  const file = join(directory.path, 'foyer.db');
  await migrateSqlite(file);
  sql = openSqlite({
    file,
    clock: () => nowMs,
    onFatal: (error) => {
      throw error;
    },
  });
});
afterAll(async () => {
  await app.close();
  await sql.close();
  await directory.remove();
});
beforeEach(async () => {
  userId = `user-${++users}`;
  await sql.transaction(async (tx) => {
    await tx.exec(addUser, [userId]);
    await tx.exec(openWallet, [userId]);
  });
  work = charge;
  worked = 0;
  effects = 0;
  transactions = 0;
  isBlind = false;
});

const post = (payload: object | string, key?: string | string[], url = '/charges') =>
  app.inject({
    method: 'POST',
    url: `/api/v1${url}`,
    payload,
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) },
  });

const refuseAfterWriting = (refusal: Refusal) => async (tx: Tx, amount: number) => {
  await charge(tx, amount);
  throw refusal;
};

describe('without a key', () => {
  it('every request runs the work, and nothing is stored', async () => {
    const before = await storedKeys();
    const first = await post({ amount: 5 });
    expect(first.statusCode).toBe(201);
    expect(first.json()).toEqual({ balance: 5 });
    expect((await post({ amount: 5 })).json()).toEqual({ balance: 10 });
    expect(await storedKeys()).toBe(before);
    expect(effects).toBe(2);
  });

  it('a refusal rolls the work back', async () => {
    work = refuseAfterWriting(new Refusal('SALES_CLOSED'));
    expect((await post({ amount: 5 })).statusCode).toBe(409);
    expect(await balance()).toBe(0);
  });

  it('204 has no body', async () => {
    work = () => Promise.resolve({ status: 204, body: { balance: 1 } });
    const answer = await post({ amount: 5 });
    expect([answer.statusCode, answer.body, answer.headers['content-type']]).toEqual([204, '', undefined]);
  });
});

describe('the same key and request', () => {
  it('replay the first response byte for byte without running the work', async () => {
    const first = await post({ amount: 5 }, KEY);
    const again = await post({ amount: 5 }, KEY);
    expect(first.statusCode).toBe(201);
    expect(first.body).toBe('{"balance":5}');
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(again.statusCode).toBe(201);
    expect(again.rawPayload.equals(first.rawPayload)).toBe(true);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    expect(again.headers['content-type']).toBe('application/json; charset=utf-8');
    expect([worked, effects, await balance()]).toEqual([1, 1, 5]);
  });

  it('match regardless of JSON formatting, member order and query string', async () => {
    await post('{"amount":5,"memo":{"a":[1,{"x":1,"y":2}],"b":null}}', KEY);
    const again = await post(
      ' { "memo" : {"b":null,"a":[1,{"y":2,"x":1}]} , "amount" : 5.0 } ',
      KEY,
      '/charges?page=2',
    );
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(worked).toBe(1);
  });

  it('replay a 204', async () => {
    work = () => Promise.resolve({ status: 204, body: { balance: 1 } });
    await post({ amount: 5 }, KEY);
    const again = await post({ amount: 5 }, KEY);
    expect([again.statusCode, again.body, again.headers['content-type']]).toEqual([204, '', undefined]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(worked).toBe(1);
  });

  it('run the work once when requests are concurrent', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => post({ amount: 5 }, KEY)));
    expect(new Set(answers.map(({ body }) => body))).toEqual(new Set(['{"balance":5}']));
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(7);
    expect([worked, effects, await balance()]).toEqual([1, 1, 5]);
  });

  it('do not match the same key of another user', async () => {
    await post({ amount: 5 }, KEY);
    const first = userId;
    userId = `user-${++users}`;
    await sql.transaction(async (tx) => {
      await tx.exec(addUser, [userId]);
      await tx.exec(openWallet, [userId]);
    });
    expect((await post({ amount: 5 }, KEY)).headers['idempotency-replayed']).toBeUndefined();
    expect(await balance()).toBe(5);
    userId = first;
    expect(await balance()).toBe(5);
  });
});

describe('the same key with a different request', () => {
  it.each([
    ['another amount', { amount: 6 }, '/charges'],
    ['another member', { amount: 5, memo: null }, '/charges'],
    ['another order of a list', { amount: 5, memo: [2, 1] }, '/charges'],
    ['another path', { amount: 5, memo: [1, 2] }, '/other-charges'],
  ])('is refused: %s', async (_what, body, url) => {
    await post({ amount: 5, memo: [1, 2] }, KEY);
    const answer = await post(body, KEY, url);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(worked).toBe(1);
    expect(await balance()).toBe(5);
  });
});

describe('a refusal', () => {
  it('of the work is stored byte for byte, and its writes are rolled back', async () => {
    work = refuseAfterWriting(new Refusal('NOT_ENOUGH_BALANCE', { balance: 1, amount: 5 }));
    const first = await post({ amount: 5 }, KEY);
    work = charge;
    const again = await post({ amount: 5 }, KEY);
    expect(first.statusCode).toBe(402);
    expect(first.json()).toMatchObject({ code: 'NOT_ENOUGH_BALANCE', balance: 1, amount: 5 });
    expect(first.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(again.statusCode).toBe(402);
    expect(again.rawPayload.equals(first.rawPayload)).toBe(true);
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect([worked, effects, await balance()]).toEqual([1, 0, 0]);
  });

  it('of the gate is stored, so a delayed duplicate does nothing; a 401 is not stored', async () => {
    work = refuseAfterWriting(denied('INVALID'));
    expect((await post({ amount: 5 }, KEY)).headers).toHaveProperty('www-authenticate');
    worked = 0;
    work = refuseAfterWriting(denied('EXPIRED'));
    const refused = await post({ amount: 5 }, KEY);
    work = charge;
    const late = await post({ amount: 5 }, KEY);
    expect([late.statusCode, late.body]).toEqual([403, refused.body]);
    expect([worked, await balance()]).toEqual([1, 0]);
  });

  it('is USER_NOT_FOUND and not stored for an unknown user', async () => {
    userId = 'nobody';
    work = refuseAfterWriting(new Refusal('SCHEDULE_NOT_FOUND'));
    expect((await post({ amount: 5 }, KEY)).json().code).toBe('USER_NOT_FOUND');
  });

  it('is counted in the metrics once, and not at a replay', async () => {
    const counted = 'code="RESERVATION_EXPIRED",method="POST",route="/api/v1/charges"} 1\n';
    work = refuseAfterWriting(new Refusal('RESERVATION_EXPIRED'));
    await post({ amount: 5 }, KEY);
    expect(metrics()).toContain(counted);
    await post({ amount: 5 }, KEY);
    expect(metrics()).toContain(counted);
  });

  it('has the same body with and without a key', async () => {
    work = refuseAfterWriting(new Refusal('ALREADY_RESERVED_SEAT', { seatIds: ['a', 'b'] }));
    expect((await post({ amount: 5 }, KEY)).body).toBe((await post({ amount: 5 })).body);
  });

  it.each<RefusalCode>([
    'FORBIDDEN',
    'INTERNAL_ERROR',
    'TOO_MANY_REQUESTS',
    'TOO_MANY_STREAMS',
    'UNAVAILABLE',
    'USER_NOT_FOUND',
  ])(
    '%s is temporary: decided in one transaction, not stored, and the next request runs the work',
    async (code) => {
      work = refuseAfterWriting(new Refusal(code));
      const first = await post({ amount: 5 }, KEY);
      expect(first.json().code).toBe(code);
      expect(await balance()).toBe(0);
      expect(transactions).toBe(1);
      work = charge;
      const again = await post({ amount: 5 }, KEY);
      expect(again.statusCode).toBe(201);
      expect(again.headers['idempotency-replayed']).toBeUndefined();
      expect(await balance()).toBe(5);
    },
  );
});

it('an unexpected error rolls back everything and stores nothing', async () => {
  work = async (tx, amount) => {
    await charge(tx, amount);
    throw new Error('a bug');
  };
  expect((await post({ amount: 5 }, KEY)).statusCode).toBe(500);
  expect([effects, await balance()]).toEqual([0, 0]);
  work = charge;
  expect((await post({ amount: 5 }, KEY)).json()).toEqual({ balance: 5 });
});

it('a response that cannot be serialized rolls the work back', async () => {
  work = async (tx, amount) => {
    await charge(tx, amount);
    const unwritable = { balance: 1, toJSON: () => BigInt(1) };
    return { status: 200, body: unwritable };
  };
  expect((await post({ amount: 5 }, KEY)).statusCode).toBe(500);
  expect(await balance()).toBe(0);
});

it('after a key conflict the response of the other transaction is replayed', async () => {
  const first = await post({ amount: 5 }, KEY);
  isBlind = true;
  const conflicting = await post({ amount: 5 }, KEY);
  expect(conflicting.body).toBe(first.body);
  expect(conflicting.headers['idempotency-replayed']).toBe('true');
  expect([worked, effects, await balance()]).toEqual([2, 1, 5]);
});

describe('a key', () => {
  it.each(['x'.repeat(15), 'x'.repeat(65), 'with space 123456', 'semicolon;semicolon', '', `${KEY},${KEY}`])(
    'may not be "%s"',
    async (key) => {
      const answer = await post({ amount: 5 }, key);
      expect(answer.statusCode).toBe(400);
      const problem = { code: 'INVALID_REQUEST', detail: 'Idempotency-Key is not valid.' };
      expect(answer.json()).toMatchObject(problem);
      expect(worked).toBe(0);
    },
  );

  it('may not be sent twice', async () => {
    const answer = await post({ amount: 5 }, [KEY, KEY]);
    expect(answer.statusCode).toBe(400);
    expect(worked).toBe(0);
  });

  it.each(['x'.repeat(16), 'x'.repeat(64), 'AZaz09_-AZaz09_-'])('may be "%s"', async (key) => {
    expect((await post({ amount: 5 }, key)).statusCode).toBe(201);
  });
});

it('purging deletes the oldest keys first, up to a limit', async () => {
  await purgeIdempotencyKeys(sql, Number.MAX_SAFE_INTEGER, 1_000_000);
  await post({ amount: 1 }, 'oldest-oldest-oldest');
  nowMs += 1000;
  await post({ amount: 1 }, 'older-older-older-older');
  nowMs += KEY_RETENTION_MS;
  await post({ amount: 1 }, 'young-young-young-young');
  expect(await purgeIdempotencyKeys(sql, sql.nowMs(), 1)).toBe(true);
  expect((await post({ amount: 1 }, 'older-older-older-older')).headers['idempotency-replayed']).toBe('true');
  expect((await post({ amount: 1 }, 'oldest-oldest-oldest')).headers['idempotency-replayed']).toBeUndefined();
  // `oldest` has just been stored again; `older` reaches its retention time in one millisecond.
  const before = await storedKeys();
  expect(await purgeIdempotencyKeys(sql)).toBe(false);
  expect(await storedKeys()).toBe(before);
  nowMs += 1;
  expect(await purgeIdempotencyKeys(sql)).toBe(false);
  expect(await storedKeys()).toBe(2);
});
