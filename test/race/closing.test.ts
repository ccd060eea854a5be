import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { enterSale, holdSeats, patchRoom, poll, untilPast } from '../support/booking.js';
import type { Answer } from '../support/client.js';
import { expectViolation } from '../support/race/expect-violation.js';
import { type Cluster, useCluster } from '../support/race/cluster.js';
import { storedPlaces } from '../support/race/stored-state.js';
import { eventually, type Fan, hold, join, openSale, pay, PRICE, type Sale } from '../support/sale.js';
import { leave } from '../support/steps.js';

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
/** Long enough to prepare a sale and to send requests before it closes. */
const SOON_MS = 1500;
const ONE_SEAT = [{ name: 'A', rows: 1, seatsPerRow: 1, grade: 'R', price: PRICE }];

describe('races with the end of a sale', () => {
  const foyer = useCluster();

  const edit = ({ client, operator }: Cluster, { concertId }: Sale, salesCloseAt: string | null) =>
    client.call('PATCH', `/operator/concerts/${concertId}`, { token: operator, body: { salesCloseAt } });
  const lockQueue = (cluster: Cluster, { concertId }: Sale) =>
    cluster.lockRows('SELECT FROM queues WHERE concert_id = $1 FOR UPDATE', [concertId]);
  const joinAll = ({ client }: Cluster, fans: readonly Fan[], sale: Sale): Promise<Answer[]> =>
    Promise.all(fans.map((fan) => join(client, fan, sale)));
  const statusesOf = async ({ client }: Cluster, tokens: readonly string[]): Promise<string[]> =>
    Promise.all(tokens.map(async (token) => (await poll(client, token)).body.status as string));
  const tokensOf = (answers: readonly Answer[]): string[] => answers.map(({ body }) => body.token as string);

  describe('joins that wait for the queue while the sale closes', () => {
    const NO_JOIN = 'nobody joins once the sale has closed';
    const withoutGuard = useCluster({ guards: { 'join-before-closing': () => '9000000000000000' } });

    async function race(cluster: Cluster): Promise<void> {
      const fans = await cluster.createFans(30);
      const salesCloseAt = inMs(SOON_MS);
      const sale = await openSale(cluster.client, cluster.operator, { concert: { salesCloseAt } });
      const unlock = await lockQueue(cluster, sale);
      const answers = joinAll(cluster, fans, sale);
      await untilPast(salesCloseAt);
      await unlock();
      const codes = (await answers).map(({ body }) => body.code as string | undefined);
      expect(await storedPlaces(cluster, sale), NO_JOIN).toEqual([]);
      expect(new Set(codes)).toEqual(new Set(['SALES_CLOSED']));
    }

    it('are refused', () => race(foyer));
    it('control: get places when the join-before-closing guard is removed', () =>
      expectViolation(NO_JOIN, () => race(withoutGuard)));
  });

  it('leaves nobody waiting when 120 fans join while the operator ends the sale', async () => {
    const { client, operator } = foyer;
    const fans = await foyer.createFans(120);
    const sale = await openSale(client, operator, { policy: { paused: true } });
    const [answers] = await Promise.all([joinAll(foyer, fans, sale), edit(foyer, sale, inMs(0))]);
    for (const { status, body } of answers)
      expect([status, body.code]).toBeOneOf([
        [201, undefined],
        [409, 'SALES_CLOSED'],
      ]);
    const joined = tokensOf(answers.filter(({ status }) => status === 201));
    expect((await statusesOf(foyer, joined)).filter((status) => status !== 'CLOSED')).toEqual([]);
    const live = `SELECT 1 FROM places WHERE concert_id = $1 AND status = 'WAITING'`;
    await eventually(
      () => foyer.query(live, [sale.concertId]),
      (rows) => rows.length === 0,
    );
  });

  describe('a hold that is in flight while the operator ends the sale', () => {
    const ENDS_WITH_SALE = 'a hold whose payment needs the place never outlives the sale';
    const withoutGuard = useCluster({ guards: { 'hold-sale-end': () => () => Promise.resolve(new Map()) } });

    async function race(cluster: Cluster): Promise<void> {
      const { client, operator } = cluster;
      for (let round = 0; round < 5; round += 1) {
        const sale = await openSale(client, operator);
        const { token, seats } = await enterSale(client, sale, 0);
        const unlock = await cluster.lockRows('SELECT FROM seats WHERE id = $1 FOR UPDATE', [seats[0]]);
        const answer = hold(client, token, sale, seats.slice(0, 1));
        await pause(30);
        const salesCloseAt = inMs(60_000);
        const edited = edit(cluster, sale, salesCloseAt);
        // Without the guard the edit is done by now; with it, it waits for the hold.
        await pause(70);
        await unlock();
        expect((await edited).status).toBe(200);
        const { status, body } = await answer;
        expect(status).toBe(201);
        const rows = await cluster.query(
          `SELECT r.expires_at AS ends, s.held_until AS until FROM reservations r JOIN seats s ON s.reservation_id = r.id
           WHERE r.id = $1`,
          [body.id],
        );
        const endMs = Date.parse(salesCloseAt);
        expect(
          rows.map((row) => Object.values(row).map(Number)),
          ENDS_WITH_SALE,
        ).toEqual([[endMs, endMs]]);
      }
    }

    it('ends with the sale', () => race(foyer));
    it('control: outlives it when the hold-sale-end guard is removed', () =>
      expectViolation(ENDS_WITH_SALE, () => race(withoutGuard)));
  });

  describe('an admission that waits for the queue while the sale closes', () => {
    const NO_ADMISSION = 'nobody is admitted once the sale has closed';
    const withoutGuard = useCluster({ guards: { 'admission-before-closing': () => Infinity } });

    async function race(cluster: Cluster): Promise<void> {
      const { client, operator } = cluster;
      const [first, second] = await cluster.createFans(2);
      const salesCloseAt = inMs(SOON_MS);
      const sale = await openSale(client, operator, { concert: { salesCloseAt }, policy: { maxActive: 1 } });
      const active = (await join(client, first!, sale)).body.token as string;
      const waiting = (await join(client, second!, sale)).body.token as string;
      const unlock = await lockQueue(cluster, sale);
      // Frees the slot, which starts an admission.
      await leave(client, active);
      await untilPast(salesCloseAt);
      await unlock();
      expect(await statusesOf(cluster, [waiting]), NO_ADMISSION).toEqual(['CLOSED']);
      const decided = `SELECT 1 FROM queues WHERE concert_id = $1 AND (closed_through = 2 OR admitted_through = 2)`;
      await eventually(
        () => cluster.query(decided, [sale.concertId]),
        (rows) => rows.length === 1,
      );
      const [, place] = await storedPlaces(cluster, sale);
      expect(place?.activatedAtMs, NO_ADMISSION).toBeNull();
    }

    it('admits nobody', () => race(foyer));
    it('control: admits the next fan when the admission-before-closing guard is removed', () =>
      expectViolation(NO_ADMISSION, () => race(withoutGuard)));
  });

  describe('a reopened sale whose closed places are not marked yet', () => {
    const STAY_CLOSED = 'a place that ended with the sale is never admitted';
    const withoutGuard = useCluster({ guards: { 'admission-skips-closed': () => 0 } });
    /** As if the process that closed the queue had been killed before it marked the rows. */
    const UNMARK = [
      `UPDATE places SET status = 'WAITING', ended_at = NULL WHERE concert_id = $1`,
      'UPDATE queues SET closed_marked_through = 0 WHERE concert_id = $1',
    ];

    async function race(cluster: Cluster): Promise<void> {
      const { client, operator } = cluster;
      const fans = await cluster.createFans(6);
      const sale = await openSale(client, operator, { policy: { maxActive: 0 } });
      const closed = tokensOf(await joinAll(cluster, fans, sale));
      await edit(cluster, sale, inMs(0));
      const marked = 'SELECT 1 FROM queues WHERE concert_id = $1 AND closed_marked_through = 6';
      await eventually(
        () => cluster.query(marked, [sale.concertId]),
        (rows) => rows.length === 1,
      );
      for (const statement of UNMARK) await cluster.query(statement, [sale.concertId]);
      await edit(cluster, sale, null);
      const again = await join(client, fans[3]!, sale);
      await patchRoom(client, operator, sale, { maxActive: null });
      const newest = await join(client, (await cluster.createFans(1))[0]!, sale);
      await eventually(
        () => statusesOf(cluster, tokensOf([newest])),
        ([status]) => status === 'ACTIVE',
      );
      const places = await storedPlaces(cluster, sale);
      const admitted = places.filter(({ activatedAtMs }) => activatedAtMs !== null);
      expect(
        admitted.map(({ number }) => number),
        STAY_CLOSED,
      ).toEqual([7, 8]);
      expect(again.status).toBe(201);
      expect(await statusesOf(cluster, tokensOf([again, newest]))).toEqual(['ACTIVE', 'ACTIVE']);
      expect(new Set(await statusesOf(cluster, closed))).toEqual(new Set(['CLOSED']));
    }

    it('admits only those who joined since', () => race(foyer));
    it('control: admits closed places when the admission-skips-closed guard is removed', () =>
      expectViolation(STAY_CLOSED, () => race(withoutGuard)));
  });

  describe('a sale that is reopened right after it has closed', () => {
    const STAY_CLOSED = 'who waited at the closing stays ended';
    const withoutGuard = useCluster({ guards: { 'reopening-keeps-closed': () => () => Promise.resolve() } });

    async function race(cluster: Cluster): Promise<void> {
      const { client, operator } = cluster;
      const fans = await cluster.createFans(5);
      const salesCloseAt = inMs(SOON_MS);
      const sale = await openSale(client, operator, { concert: { salesCloseAt }, policy: { maxActive: 0 } });
      const tokens = tokensOf(await joinAll(cluster, fans, sale));
      await untilPast(salesCloseAt);
      expect((await edit(cluster, sale, null)).status).toBe(200);
      expect(new Set(await statusesOf(cluster, tokens)), STAY_CLOSED).toEqual(new Set(['CLOSED']));
    }

    it('keeps the places ended', () => race(foyer));
    it('control: brings them back when the reopening-keeps-closed guard is removed', () =>
      expectViolation(STAY_CLOSED, () => race(withoutGuard)));
  });

  describe('the last seat, sold while 60 fans join', () => {
    const NO_JOIN = 'nobody joins a sold-out sale';
    const withoutGuard = useCluster({ guards: { 'join-unless-sold-out': () => 'TRUE' } });

    async function race(cluster: Cluster): Promise<void> {
      const { client, operator } = cluster;
      const policy = { maxActive: 1 };
      const sale = await openSale(client, operator, { policy, sections: ONE_SEAT });
      const buyer = await enterSale(client, sale, PRICE);
      const { id } = await holdSeats(client, buyer, 0);
      // Otherwise the slot of the buyer would be given to the first who waits.
      await patchRoom(client, operator, sale, { paused: true });
      const fans = await cluster.createFans(60);
      const [answers, paid] = await Promise.all([joinAll(cluster, fans, sale), pay(client, buyer.token, id)]);
      expect(paid.status).toBe(201);
      await eventually(
        () => cluster.query('SELECT 1 FROM queues WHERE concert_id = $1 AND sold_out = 1', [sale.concertId]),
        (rows) => rows.length === 1,
      );
      const late = await joinAll(cluster, await cluster.createFans(3), sale);
      expect(new Set(late.map(({ body }) => body.code as string)), NO_JOIN).toEqual(new Set(['SOLD_OUT']));
      const joined = tokensOf(answers.filter(({ status }) => status === 201));
      const statuses = await eventually(
        () => statusesOf(cluster, joined),
        (all) => all.every((status) => status === 'CLOSED'),
      );
      expect(statuses.length + answers.filter(({ body }) => body.code === 'SOLD_OUT').length).toBe(60);
    }

    it('leaves nobody waiting and lets nobody join', () => race(foyer));
    it('control: lets fans join when the join-unless-sold-out guard is removed', () =>
      expectViolation(NO_JOIN, () => race(withoutGuard)));
  });
});
