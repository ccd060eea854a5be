import { describe, expect, it } from 'vitest';
import { createCatalog } from '../../src/catalog/index.js';
import { createJwt } from '../../src/platform/jwt/index.js';
import { createStreamHub } from '../../src/platform/sse/index.js';
import { type Sql, statement } from '../../src/platform/sql/index.js';
import { createWaitingRoom } from '../../src/waiting-room/index.js';
import { STORES } from '../support/open-stores.js';

const CONCERTS = ['a', 'b', 'c'];

const insertConcert = statement<[id: string]>(
  'insert_test_concert',
  `INSERT INTO concerts (id, title, venue, description, currency, created_at) VALUES ($1, 'T', 'V', '', 'KRW', 1)`,
);
const pauseAll = statement('pause_test_queues', `UPDATE queues SET paused = 1`);

for (const store of STORES) {
  describe(`policies that the command line changed, on ${store.name}`, () => {
    it('reach every queue except one whose transaction fails, which gets them with the next run', async () => {
      const opened = await store.open();
      const failures: string[] = [];
      let failNext = false;
      const sql: Sql = new Proxy(opened, {
        get(target, member) {
          if (member === 'transaction' && failNext) {
            failNext = false;
            return () => Promise.reject(new Error('this transaction fails'));
          }
          const value: unknown = Reflect.get(target, member, target);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      });
      const waitingRoom = createWaitingRoom({
        sql,
        jwt: createJwt('a-secret-for-tests-only'),
        hub: createStreamHub({ maxStreams: 1 }),
        concertCache: createCatalog({ sql }).concertCache,
        requireUser: () => Promise.resolve(),
        endedRetentionMs: 2 * 3600 * 1000,
        isRevoked: () => false,
        isErased: () => false,
        events: { admitted: () => undefined, ended: () => undefined },
        onPlaceEnded: () => undefined,
        onError: (_error, concertId) => void failures.push(String(concertId)),
      });
      for (const concertId of CONCERTS)
        await sql.transaction(async (tx) => {
          await tx.exec(insertConcert, [concertId]);
          await waitingRoom.openQueue(tx, concertId, tx.nowMs + 3_600_000, {});
        });
      await sql.transaction((tx) => tx.exec(pauseAll, []));
      const paused = async (): Promise<string[]> => {
        await sql.waitForChanges();
        return CONCERTS.filter((concertId) => waitingRoom.policyOf(concertId).paused);
      };
      expect(await paused()).toEqual([]);

      failNext = true;
      await waitingRoom.refreshPolicies();
      expect(failures).toHaveLength(1);
      expect(await paused()).toEqual(CONCERTS.filter((concertId) => concertId !== failures[0]));
      await waitingRoom.refreshPolicies();
      expect(await paused()).toEqual(CONCERTS);
    });
  });
}
