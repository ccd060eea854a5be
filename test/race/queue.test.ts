import { describe, expect, it } from 'vitest';
import { patchRoom, poll } from '../support/booking.js';
import type { Answer } from '../support/client.js';
import { ADMISSION_WITHOUT_LOCK } from '../support/sabotage/sabotage.js';
import { expectViolation } from '../support/race/expect-violation.js';
import { type Cluster, useCluster } from '../support/race/cluster.js';
import { concurrently, openSaleWithFans, seatIdsOf } from '../support/race/sale-with-fans.js';
import { storedPlaces } from '../support/race/stored-state.js';
import { eventually, type Fan, hold, join, openSale, pay, PRICE, type Sale } from '../support/sale.js';
import { charge, leave } from '../support/steps.js';

const oneTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const ascending = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);

describe('races in the queue', () => {
  const foyer = useCluster();
  const waitUntilActive = ({ client }: Cluster, token: string): Promise<unknown> =>
    eventually(
      () => poll(client, token),
      ({ body }) => body.status === 'ACTIVE',
    );

  describe('joining', () => {
    /**
     * The database guards unique numbers and one live place per fan as well, so both constraints are dropped. The trigger
     * slows every join down, so that concurrent joins overlap.
     */
    const withoutQueueLock = useCluster({
      guards: { 'queue-lock': () => '' },
      sql: `ALTER TABLE places DROP CONSTRAINT places_concert_id_number_key;
        DROP INDEX one_live_place;
        CREATE FUNCTION sleep_20_ms() RETURNS trigger LANGUAGE plpgsql
          AS 'BEGIN PERFORM pg_sleep(0.02); RETURN NULL; END';
        CREATE TRIGGER slow_join AFTER INSERT ON places FOR EACH STATEMENT EXECUTE FUNCTION sleep_20_ms()`,
    });

    describe('again while the fan’s own place ends', () => {
      const LIVE_PLACE = 'a join returns a live place';
      const HALL = [{ name: 'A', rows: 4, seatsPerRow: 10, grade: 'R', price: PRICE }];
      const withoutRetry = useCluster({ guards: { 'join-retry': () => 1 } });
      const expectLivePlaces = (answers: readonly Answer[]): void => {
        for (const { status, body } of answers)
          expect([status, body.status, body.code], LIVE_PLACE).toEqual([
            expect.toBeOneOf([200, 201]),
            expect.toBeOneOf(['WAITING', 'ACTIVE']),
            undefined,
          ]);
      };

      async function leaveAndJoin(cluster: Cluster): Promise<void> {
        const { client, operator } = cluster;
        const fans = await cluster.createFans(40);
        const sale = await openSale(client, operator, { policy: { maxActive: 20 } });
        for (let round = 0; round < 6; round += 1) {
          const tokens = await Promise.all(fans.map((fan) => join(client, fan, sale)));
          expectLivePlaces(tokens);
          const leavesAndJoins = await Promise.all(
            fans.flatMap((fan, index) => {
              const left = leave(client, tokens[index]?.body.token);
              return [left, join(client, fan, sale), join(client, fan, sale), join(client, fan, sale)];
            }),
          );
          expectLivePlaces(leavesAndJoins.filter((_, index) => index % 4 !== 0));
        }
      }

      it('returns a live place to a fan who leaves and joins concurrently', () => leaveAndJoin(foyer));
      it('control: refuses some of these joins when the join-retry guard is removed', () =>
        expectViolation(LIVE_PLACE, () => leaveAndJoin(withoutRetry)));

      it('returns a live place to a fan who pays and joins concurrently', async () => {
        const { client } = foyer;
        const { sale, fans, tokens, seats } = await openSaleWithFans(foyer, 40, { sections: HALL });
        await Promise.all(fans.map((fan) => charge(client, fan.accessToken, PRICE)));
        const held = await concurrently(fans.length, (index) =>
          hold(client, tokens[index] ?? '', sale, [seats[index] ?? '']),
        );
        const paidAndJoined = await Promise.all(
          fans.map((fan, index) =>
            Promise.all([
              pay(client, tokens[index] ?? '', held[index]?.body.id),
              join(client, fan, sale),
              join(client, fan, sale),
            ]),
          ),
        );
        for (const [paid, ...joined] of paidAndJoined) {
          expect(paid.status).toBe(201);
          expectLivePlaces(joined);
        }
      });
    });

    describe('300 fans concurrently', () => {
      const CONSECUTIVE_NUMBERS = 'queue numbers are unique and without gaps';

      async function race(cluster: Cluster): Promise<void> {
        const { client, operator } = cluster;
        const fans = await cluster.createFans(300);
        const sale = await openSale(client, operator, { policy: { paused: true } });
        const answers = await Promise.all(fans.map((fan) => join(client, fan, sale)));
        const numbers = (await storedPlaces(cluster, sale)).map(({ number }) => number);
        expect(numbers, CONSECUTIVE_NUMBERS).toEqual(oneTo(fans.length));
        expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
        const polls = await Promise.all(answers.map(({ body }) => poll(client, body.token)));
        expect(ascending(polls.map(({ body }) => body.rank))).toEqual(oneTo(fans.length));
      }

      it('assigns unique queue numbers without gaps', () => race(foyer));
      it('control: assigns duplicate numbers when the queue-lock guard is removed', () =>
        expectViolation(CONSECUTIVE_NUMBERS, () => race(withoutQueueLock)));
    });

    it('fails all joins that wait for a locked queue at about the same time, not batch after batch', async () => {
      const { client, operator } = foyer;
      // More than two batches for each process.
      const fans = await foyer.createFans(1800);
      const sale = await openSale(client, operator, { policy: { paused: true } });
      const unlock = await foyer.lockRows('SELECT FROM queues WHERE concert_id = $1 FOR UPDATE', [
        sale.concertId,
      ]);
      const startedMs = performance.now();
      const answers = await Promise.all(
        fans.map(async (fan) => {
          const { status } = await join(client, fan, sale);
          return { status, afterMs: performance.now() - startedMs };
        }),
      );
      await unlock();
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
      const waits = answers.map(({ afterMs }) => afterMs);
      // A join that arrives while the first batch waits may wait through one more timeout.
      expect(Math.max(...waits) / Math.min(...waits)).toBeLessThan(4);
    });

    it('joins each fan exactly once and returns the place when database connections break during the join', async () => {
      const { client, operator } = foyer;
      const fans = await foyer.createFans(30);
      const sale = await openSale(client, operator, { policy: { paused: true } });
      const unlock = await foyer.lockRows('SELECT FROM queues WHERE concert_id = $1 FOR UPDATE', [
        sale.concertId,
      ]);
      const answers = Promise.all(fans.map((fan) => join(client, fan, sale)));
      const terminateWaiting = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      // One connection per process waits for the lock at a time.
      for (let terminated = 0; terminated < 3;)
        terminated += (await foyer.query(terminateWaiting, [])).length;
      await unlock();
      const tokens = (await answers).map(({ status, body }) => {
        expect([200, 201]).toContain(status);
        return body.token as string;
      });
      const places = await storedPlaces(foyer, sale);
      expect(places.map(({ userId }) => userId).sort()).toEqual(fans.map(({ id }) => id).sort());
      const polls = await Promise.all(tokens.map((token) => poll(client, token)));
      expect(ascending(polls.map(({ body }) => body.rank))).toEqual(oneTo(fans.length));
    });

    describe('ten fans, each 20 times concurrently', () => {
      const ONE_PLACE = 'a fan has one place';

      async function race(cluster: Cluster) {
        const { client, operator } = cluster;
        const fans = await cluster.createFans(10);
        const sale = await openSale(client, operator, { policy: { paused: true } });
        const answers = await concurrently(200, (index) => join(client, fans[index % fans.length]!, sale));
        const places = await storedPlaces(cluster, sale);
        expect(places.map(({ userId }) => userId).sort(), ONE_PLACE).toEqual(fans.map(({ id }) => id).sort());
        return { places, answers };
      }

      it('gives each fan one place', async () => {
        const { places, answers } = await race(foyer);
        expect(places.map(({ number }) => number)).toEqual(oneTo(10));
        expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(190);
        expect(new Set(answers.map(({ body }) => body.token as string)).size).toBe(10);
      });
      it('control: gives some fans two places when the queue-lock guard is removed', () =>
        expectViolation(ONE_PLACE, () => race(withoutQueueLock)));
    });
  });

  describe('admission', () => {
    /**
     * Without the lock, two processes would also try to admit the same places and wait for each other's row locks. SKIP LOCKED
     * removes that second guard.
     */
    const withoutAdmissionLock = useCluster({ guards: ADMISSION_WITHOUT_LOCK });

    describe('with maxActive 3 while fans join, pay and leave', () => {
      const WITHIN_MAX_ACTIVE = 'at most maxActive places are ACTIVE';
      const maxActive = 3;
      const FANS = 25;

      /** The highest number of ACTIVE places seen in the database, polled without pause until `during` settles. */
      async function maxActiveSeen(cluster: Cluster, sale: Sale, during: Promise<unknown>): Promise<number> {
        let most = 0;
        const polling = { isOver: false };
        const end = (): void => {
          polling.isOver = true;
        };
        during.then(end, end);
        while (!polling.isOver) {
          const active = await cluster.query(
            `SELECT FROM places WHERE concert_id = $1 AND status = 'ACTIVE'`,
            [sale.concertId],
          );
          most = Math.max(most, active.length);
        }
        return most;
      }

      async function race(cluster: Cluster): Promise<void> {
        const { client, operator } = cluster;
        const fans = await cluster.createFans(FANS);
        await Promise.all(fans.map(({ accessToken }) => charge(client, accessToken, PRICE)));
        const sections = [{ name: 'A', rows: 1, seatsPerRow: FANS, grade: 'R', price: PRICE }];
        const sale = await openSale(client, operator, { policy: { maxActive }, sections });
        const seats = await seatIdsOf(cluster, sale);

        const visit = async (fan: Fan, index: number): Promise<void> => {
          const { token } = (await join(client, fan, sale)).body;
          // A fifth leave while WAITING, a fifth leave without buying, the others buy.
          if (index % 5 > 0) await waitUntilActive(cluster, token);
          if (index % 5 < 2) {
            await leave(client, token);
            return;
          }
          const held = await hold(client, token, sale, [seats[index] ?? '']);
          expect((await pay(client, token, held.body.id)).status).toBe(201);
        };
        const visits = Promise.all(fans.map(visit));
        expect(await maxActiveSeen(cluster, sale, visits), WITHIN_MAX_ACTIVE).toBeLessThanOrEqual(maxActive);
        await visits;
        const places = await storedPlaces(cluster, sale);
        const admitted = places.flatMap(({ activatedAtMs }) => activatedAtMs ?? []);
        expect(admitted.length).toBeGreaterThanOrEqual((FANS / 5) * 4);
        expect(admitted, 'places are admitted in queue order').toEqual(ascending(admitted));
      }

      it('never has more than three ACTIVE places', () => race(foyer));
      it('control: has more than three ACTIVE places when the admission-lock guard is removed', () =>
        expectViolation(WITHIN_MAX_ACTIVE, () => race(withoutAdmissionLock)));
    });

    describe('of five fans per second', () => {
      const WITHIN_RATE = 'at most five fans are admitted within any second';
      const admitCount = 5;

      async function race(cluster: Cluster): Promise<void> {
        const { client, operator } = cluster;
        const fans = await cluster.createFans(3 * admitCount + 1);
        const policy = { maxActive: null, admitCount, admitEverySeconds: 1, paused: true };
        const sale = await openSale(client, operator, { policy });
        const joined = await Promise.all(fans.map((fan) => join(client, fan, sale)));
        await patchRoom(client, operator, sale, { paused: false });
        await Promise.all(joined.map(({ body }) => waitUntilActive(cluster, body.token)));
        const places = await storedPlaces(cluster, sale);
        const admitted = places.map(({ activatedAtMs }) => activatedAtMs ?? 0);
        const msUntilFifthNext = ascending(admitted).map(
          (atMs, index, all) => (all[index + admitCount] ?? Infinity) - atMs,
        );
        expect(Math.min(...msUntilFifthNext), WITHIN_RATE).toBeGreaterThanOrEqual(1000);
        expect(admitted, 'places are admitted in queue order').toEqual(ascending(admitted));
      }

      it('admits at most five fans per second over all processes', () => race(foyer));
      it('control: admits more than five per second when the admission-lock guard is removed', () =>
        expectViolation(WITHIN_RATE, () => race(withoutAdmissionLock)));
    });
  });

  describe('an expiry that waits for a place whose owner made a request meanwhile', () => {
    const STAYS_ACTIVE = 'a place is not expired after a request in time was stored';
    const withoutRecheck = useCluster({ guards: { 'expiry-recheck': () => 'TRUE' } });
    const HOUR_MS = 3_600_000;
    const countExpiring = `SELECT 1 FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND query LIKE '%EXPIRED%' AND datname = current_database()`;

    async function race(cluster: Cluster): Promise<void> {
      const { client, operator } = cluster;
      const [fan] = await cluster.createFans(1);
      const sale = await openSale(client, operator, { policy: { idleSeconds: 1 } });
      await join(client, fan!, sale);
      // As another process stores a request: it is committed after the expiry has found the place idle.
      const storeRequest = await cluster.lockRows(
        'UPDATE places SET last_seen_at = last_seen_at + $2 WHERE concert_id = $1',
        [sale.concertId, HOUR_MS],
      );
      await eventually(
        () => cluster.query(countExpiring, []),
        (waiting) => waiting.length > 0,
      );
      await storeRequest();
      await eventually(
        () => cluster.query(countExpiring, []),
        (waiting) => waiting.length === 0,
      );
      const places = await cluster.query<{ status: string }>(
        'SELECT status FROM places WHERE concert_id = $1',
        [sale.concertId],
      );
      expect(places, STAYS_ACTIVE).toEqual([{ status: 'ACTIVE' }]);
    }

    it('does not expire it', () => race(foyer));
    it('control: expires it when the expiry-recheck guard is removed', () =>
      expectViolation(STAYS_ACTIVE, () => race(withoutRecheck)));
  });
});
