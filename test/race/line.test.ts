import { describe, expect, it } from 'vitest';
import { patchRoom, poll } from '../support/booking.js';
import type { Answer } from '../support/client.js';
import { ADMISSION_WITHOUT_LOCK } from '../support/sabotage/sabotage.js';
import { expectBroken } from '../support/race/broken.js';
import { type Cluster, useCluster } from '../support/race/cluster.js';
import { letIn, seatsOf, times } from '../support/race/crowd.js';
import { placesOnRecord } from '../support/race/on-record.js';
import { eventually, type Fan, hold, join, openSale, pay, PRICE, type Sale } from '../support/sale.js';
import { charge, leave } from '../support/steps.js';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const inOrder = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);

describe('races for a place in the line', () => {
  const foyer = useCluster();
  const inside = ({ client }: Cluster, token: string): Promise<unknown> =>
    eventually(
      () => poll(client, token),
      ({ body }) => body.status === 'ACTIVE',
    );

  describe('joining', () => {
    /**
     * That a number is unique and a fan has one live place, the database would guard too. The rest of the transaction takes
     * its time, so that it is not a matter of luck whether two meet.
     */
    const sabotaged = useCluster({
      guards: { 'queue-lock': () => '' },
      sql: `ALTER TABLE places DROP CONSTRAINT places_concert_id_number_key;
        DROP INDEX one_live_place;
        CREATE FUNCTION sleep_20_ms() RETURNS trigger LANGUAGE plpgsql
          AS 'BEGIN PERFORM pg_sleep(0.02); RETURN NULL; END';
        CREATE TRIGGER slow_join AFTER INSERT ON places FOR EACH STATEMENT EXECUTE FUNCTION sleep_20_ms()`,
    });

    describe('while one’s own place ends', () => {
      const JOINED = 'whoever joins has a live place';
      const HALL = [{ name: 'A', rows: 4, seatsPerRow: 10, grade: 'R', price: PRICE }];
      const hasty = useCluster({ guards: { 'join-retry': () => 1 } });
      const expectLive = (answers: readonly Answer[]): void => {
        for (const { status, body } of answers)
          expect([status, body.status, body.code], JOINED).toEqual([
            expect.toBeOneOf([200, 201]),
            expect.toBeOneOf(['WAITING', 'ACTIVE']),
            undefined,
          ]);
      };

      async function leaveAndJoin(cluster: Cluster): Promise<void> {
        const { client, operator } = cluster;
        const fans = await cluster.fans(40);
        const sale = await openSale(client, operator, { policy: { maxActive: 20 } });
        for (let round = 0; round < 6; round += 1) {
          const tokens = await Promise.all(fans.map((fan) => join(client, fan, sale)));
          expectLive(tokens);
          const again = await Promise.all(
            fans.flatMap((fan, index) => {
              const left = leave(client, tokens[index]?.body.token);
              return [left, join(client, fan, sale), join(client, fan, sale), join(client, fan, sale)];
            }),
          );
          expectLive(again.filter((_, index) => index % 4 !== 0));
        }
      }

      it('is joining anew, however it meets the leaving', () => leaveAndJoin(foyer));
      it('control: without another try some are refused', () =>
        expectBroken(JOINED, () => leaveAndJoin(hasty)));

      it('is joining anew, however it meets the payment', async () => {
        const { client } = foyer;
        const { sale, fans, tokens, seats } = await letIn(foyer, 40, { sections: HALL });
        await Promise.all(fans.map((fan) => charge(client, fan.accessToken, PRICE)));
        const held = await times(fans.length, (index) =>
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
          expectLive(joined);
        }
      });
    });

    describe('300 fans at once', () => {
      const NUMBERS = 'numbers are given once, and without a gap';

      async function race(cluster: Cluster): Promise<void> {
        const { client, operator } = cluster;
        const fans = await cluster.fans(300);
        const sale = await openSale(client, operator, { policy: { paused: true } });
        const answers = await Promise.all(fans.map((fan) => join(client, fan, sale)));
        const numbers = (await placesOnRecord(cluster, sale)).map(({ number }) => number);
        expect(numbers, NUMBERS).toEqual(upTo(fans.length));
        expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
        const polls = await Promise.all(answers.map(({ body }) => poll(client, body.token)));
        expect(inOrder(polls.map(({ body }) => body.rank))).toEqual(upTo(fans.length));
      }

      it('stand in one line without a gap', () => race(foyer));
      it('control: without the lock of the room they do not', () =>
        expectBroken(NUMBERS, () => race(sabotaged)));
    });

    it('a crowd that cannot join is told so together, not one batch after the other', async () => {
      const { client, operator } = foyer;
      // More than two batches for each process.
      const fans = await foyer.fans(1800);
      const sale = await openSale(client, operator, { policy: { paused: true } });
      const letGo = await foyer.lock('SELECT FROM queues WHERE concert_id = $1 FOR UPDATE', [sale.concertId]);
      const startedMs = performance.now();
      const answers = await Promise.all(
        fans.map(async (fan) => {
          const { status } = await join(client, fan, sale);
          return { status, afterMs: performance.now() - startedMs };
        }),
      );
      await letGo();
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
      const waits = answers.map(({ afterMs }) => afterMs);
      // Who came while the first were waiting may wait once more themselves.
      expect(Math.max(...waits) / Math.min(...waits)).toBeLessThan(4);
    });

    it('fans whose connections to the database break under way have joined once, and are told their place', async () => {
      const { client, operator } = foyer;
      const fans = await foyer.fans(30);
      const sale = await openSale(client, operator, { policy: { paused: true } });
      const letGo = await foyer.lock('SELECT FROM queues WHERE concert_id = $1 FOR UPDATE', [sale.concertId]);
      const answers = Promise.all(fans.map((fan) => join(client, fan, sale)));
      const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      // One for each process: they take turns.
      for (let cuts = 0; cuts < 3;) cuts += (await foyer.rows(cut, [])).length;
      await letGo();
      const tokens = (await answers).map(({ status, body }) => {
        expect([200, 201]).toContain(status);
        return body.token as string;
      });
      const places = await placesOnRecord(foyer, sale);
      expect(places.map(({ userId }) => userId).sort()).toEqual(fans.map(({ id }) => id).sort());
      const polls = await Promise.all(tokens.map((token) => poll(client, token)));
      expect(inOrder(polls.map(({ body }) => body.rank))).toEqual(upTo(fans.length));
    });

    describe('each of ten fans 20 times at once', () => {
      const ONE_PLACE = 'a fan has one place';

      async function race(cluster: Cluster) {
        const { client, operator } = cluster;
        const fans = await cluster.fans(10);
        const sale = await openSale(client, operator, { policy: { paused: true } });
        const answers = await times(200, (index) => join(client, fans[index % fans.length]!, sale));
        const places = await placesOnRecord(cluster, sale);
        expect(places.map(({ userId }) => userId).sort(), ONE_PLACE).toEqual(fans.map(({ id }) => id).sort());
        return { places, answers };
      }

      it('have one place each', async () => {
        const { places, answers } = await race(foyer);
        expect(places.map(({ number }) => number)).toEqual(upTo(10));
        expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(190);
        expect(new Set(answers.map(({ body }) => body.token as string)).size).toBe(10);
      });
      it('control: without the lock of the room some have two', () =>
        expectBroken(ONE_PLACE, () => race(sabotaged)));
    });
  });

  describe('being admitted', () => {
    /** That two processes would admit the same people is a second guard: here each passes over whom another admits. */
    const sabotaged = useCluster({ guards: ADMISSION_WITHOUT_LOCK });

    describe('to a room for three, where fans come, pay and leave', () => {
      const NEVER_MORE = 'no more are ACTIVE than the room allows';
      const maxActive = 3;
      const FANS = 25;

      /** The most who were ACTIVE at once, in as many moments as the database can be asked for. */
      async function mostActive(cluster: Cluster, sale: Sale, during: Promise<unknown>): Promise<number> {
        let most = 0;
        const visits = { areOver: false };
        const end = (): void => {
          visits.areOver = true;
        };
        during.then(end, end);
        while (!visits.areOver) {
          const active = await cluster.rows(
            `SELECT FROM places WHERE concert_id = $1 AND status = 'ACTIVE'`,
            [sale.concertId],
          );
          most = Math.max(most, active.length);
        }
        return most;
      }

      async function race(cluster: Cluster): Promise<void> {
        const { client, operator } = cluster;
        const fans = await cluster.fans(FANS);
        await Promise.all(fans.map(({ accessToken }) => charge(client, accessToken, PRICE)));
        const sections = [{ name: 'A', rows: 1, seatsPerRow: FANS, grade: 'R', price: PRICE }];
        const sale = await openSale(client, operator, { policy: { maxActive }, sections });
        const seats = await seatsOf(cluster, sale);

        const visit = async (fan: Fan, index: number): Promise<void> => {
          const { token } = (await join(client, fan, sale)).body;
          // Some leave before their turn, some without buying.
          if (index % 5 > 0) await inside(cluster, token);
          if (index % 5 < 2) {
            await leave(client, token);
            return;
          }
          const held = await hold(client, token, sale, [seats[index] ?? '']);
          expect((await pay(client, token, held.body.id)).status).toBe(201);
        };
        const visits = Promise.all(fans.map(visit));
        expect(await mostActive(cluster, sale, visits), NEVER_MORE).toBeLessThanOrEqual(maxActive);
        await visits;
        const places = await placesOnRecord(cluster, sale);
        const admitted = places.flatMap(({ activatedAtMs }) => activatedAtMs ?? []);
        expect(admitted.length).toBeGreaterThanOrEqual((FANS / 5) * 4);
        expect(admitted, 'in the order of the line').toEqual(inOrder(admitted));
      }

      it('never are more than three inside', () => race(foyer));
      it('control: without the lock of the room there are', () =>
        expectBroken(NEVER_MORE, () => race(sabotaged)));
    });

    describe('in portions of five a second', () => {
      const PORTION = 'at most five are let in within any second';
      const admitCount = 5;

      async function race(cluster: Cluster): Promise<void> {
        const { client, operator } = cluster;
        const fans = await cluster.fans(3 * admitCount + 1);
        const policy = { maxActive: null, admitCount, admitEverySeconds: 1, paused: true };
        const sale = await openSale(client, operator, { policy });
        const joined = await Promise.all(fans.map((fan) => join(client, fan, sale)));
        await patchRoom(client, operator, sale, { paused: false });
        await Promise.all(joined.map(({ body }) => inside(cluster, body.token)));
        const places = await placesOnRecord(cluster, sale);
        const admitted = places.map(({ activatedAtMs }) => activatedAtMs ?? 0);
        const between = inOrder(admitted).map(
          (atMs, index, all) => (all[index + admitCount] ?? Infinity) - atMs,
        );
        expect(Math.min(...between), PORTION).toBeGreaterThanOrEqual(1000);
        expect(admitted, 'in the order of the line').toEqual(inOrder(admitted));
      }

      it('five are let in, whichever process they ask', () => race(foyer));
      it('control: without the lock of the room more are', () =>
        expectBroken(PORTION, () => race(sabotaged)));
    });
  });
});
