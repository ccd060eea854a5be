import { describe, expect, it, onTestFinished } from 'vitest';
import { enterSale, holdSeats, patchRoom, seatsAt, startBooking } from '../support/booking.js';
import { DATABASES } from '../support/databases.js';
import { type EventStream, openEvents, type StreamEvent } from '../support/events.js';
import { useFoyer } from '../support/foyer.js';
import { eventually, hold, join, openSale, pay, PRICE, type Sale, signUpFans } from '../support/sale.js';
import { aQueueToken, aReservation } from '../support/shapes.js';
import { charge, leave } from '../support/steps.js';

for (const database of DATABASES) {
  describe(`event streams on ${database.name}`, () => {
    const foyer = useFoyer(database);

    async function open(path: string, token: string): Promise<EventStream> {
      const stream = await openEvents(foyer.url, path, token);
      onTestFinished(() => {
        stream.close();
      });
      return stream;
    }
    const openPlaceStream = (token: string): Promise<EventStream> => open('/queue-tokens/me/events', token);

    const expectStream = ({ status, headers }: EventStream): void => {
      expect(status).toBe(200);
      expect(headers.get('content-type')).toMatch(/^text\/event-stream\b/);
      expect(headers.get('cache-control')).toMatch(/no-store|no-cache/);
    };

    describe('of a place', () => {
      async function openQueue(
        size: number,
        policy: object = { paused: true },
      ): Promise<{ sale: Sale; tokens: string[] }> {
        const { client, operator } = foyer;
        const sale = await openSale(client, operator, { policy: { ...policy } });
        const tokens: string[] = [];
        for (const fan of await signUpFans(client, size))
          tokens.push((await join(client, fan, sale)).body.token);
        return { sale, tokens };
      }

      it('send the position when they are opened', async () => {
        const { tokens } = await openQueue(2);
        const stream = await openPlaceStream(tokens[1] ?? '');
        expectStream(stream);
        const { data } = await stream.next('position');
        expect(data).toMatchObject({
          ...aQueueToken,
          token: tokens[1],
          status: 'WAITING',
          rank: 2,
          ahead: 1,
        });
      });

      it('send the new position when the queue moves', async () => {
        const { tokens } = await openQueue(3);
        const stream = await openPlaceStream(tokens[2] ?? '');
        expect((await stream.next('position')).data).toMatchObject({ rank: 3 });
        await leave(foyer.client, tokens[0] ?? '');
        expect((await stream.next('position')).data).toMatchObject({ ...aQueueToken, rank: 2 });
        await leave(foyer.client, tokens[1] ?? '');
        expect((await stream.next('position')).data).toMatchObject({ rank: 1 });
      });

      it('send the admission without a poll', async () => {
        const { sale, tokens } = await openQueue(1);
        const stream = await openPlaceStream(tokens[0] ?? '');
        await stream.next('position');
        await patchRoom(foyer.client, foyer.operator, sale, { paused: false });
        const { data } = await stream.next('admitted');
        expect(data).toMatchObject({ ...aQueueToken, token: tokens[0], status: 'ACTIVE', rank: 0 });
        expect(data.activatedAt).not.toBeNull();
      });

      it('send the admission into a slot that an expired place has freed', async () => {
        const { tokens } = await openQueue(2, { maxActive: 1, activeSeconds: 2 });
        const stream = await openPlaceStream(tokens[1] ?? '');
        expect((await stream.next('admitted')).data).toMatchObject({ token: tokens[1], status: 'ACTIVE' });
      });

      it('send the current state when they are opened after the admission', async () => {
        const { token } = await startBooking(foyer);
        const stream = await openPlaceStream(token);
        const first = await eventually(
          () => Promise.resolve(stream.events[0]),
          (event) => event !== undefined,
        );
        expect(first?.data).toMatchObject({ ...aQueueToken, status: 'ACTIVE', rank: 0 });
      });

      it.each([{ activeSeconds: 1 }, { idleSeconds: 1 }])(
        'send the expiry of the place (%j)',
        async (policy) => {
          const { tokens } = await openQueue(1, policy);
          const stream = await openPlaceStream(tokens[0] ?? '');
          const { data } = await stream.next('expired');
          expect(data).toMatchObject({ ...aQueueToken, token: tokens[0], status: 'EXPIRED', rank: 0 });
        },
      );

      it('send an expired hold to its own fan only', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { policy: { holdSeconds: 1 } });
        const other = await enterSale(client, booking.sale);
        const [stream, otherStream] = [
          await openPlaceStream(booking.token),
          await openPlaceStream(other.token),
        ];
        const held = await holdSeats(client, booking, 0, 1);
        const { data } = await stream.next('hold-expired');
        expect(data).toMatchObject({ ...aReservation, id: held.id, status: 'EXPIRED', seats: held.seats });
        expect(otherStream.events.map(({ event }) => event)).not.toContain('hold-expired');
      });

      it('send hold-expired once when another fan holds the seats of an expired hold', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { policy: { holdSeconds: 1 } });
        const other = await enterSale(client, booking.sale);
        const stream = await openPlaceStream(booking.token);
        const held = await holdSeats(client, booking, 0);
        await eventually(
          () => hold(client, other.token, other.sale, seatsAt(other, 0)),
          ({ status }) => status === 201,
        );
        expect((await stream.next('hold-expired')).data).toMatchObject({ id: held.id, status: 'EXPIRED' });
        const sent = stream.events.filter(
          ({ event, data }) => event === 'hold-expired' && data.id === held.id,
        );
        expect(sent, 'sent once').toHaveLength(1);
      });

      it('send a pause and a notice to those who wait at once', async () => {
        const { sale, tokens } = await openQueue(2);
        const stream = await openPlaceStream(tokens[1] ?? '');
        await stream.next('position');
        const notice = { ko: '잠시 후 재개합니다.', en: 'Back in a moment.' };
        const changes = [
          [{ notice }, { notice, paused: true }],
          [
            { maxActive: 0, paused: false },
            { notice, paused: false },
          ],
          [{ notice: null }, { notice: null, paused: false }],
        ] as const;
        for (const [policy, shown] of changes) {
          await patchRoom(foyer.client, foyer.operator, sale, policy);
          expect((await stream.next('position')).data).toMatchObject({
            status: 'WAITING',
            rank: 2,
            ...shown,
          });
        }
      });

      it('are replaced by a newer stream of the same place', async () => {
        const { sale, tokens } = await openQueue(1);
        const first = await openPlaceStream(tokens[0] ?? '');
        await first.next('position');
        const second = await openPlaceStream(tokens[0] ?? '');
        await second.next('position');
        await first.next('replaced');
        await first.ended;
        await patchRoom(foyer.client, foyer.operator, sale, { paused: false });
        await second.next('admitted');
        expect(first.events.map(({ event }) => event)).toEqual(['position', 'replaced']);
      });

      it('close when the fan leaves', async () => {
        const { tokens } = await openQueue(1);
        const stream = await openPlaceStream(tokens[0] ?? '');
        await stream.next('position');
        await leave(foyer.client, tokens[0] ?? '');
        await stream.ended;
      });
    });

    it('leave the connection usable for the next request when the server closes them', async () => {
      const { token } = await startBooking(foyer);
      const request = { headers: { authorization: `Bearer ${token}` } };
      const openPlaceStream = (): Promise<Response> =>
        fetch(`${foyer.url}/api/v1/queue-tokens/me/events`, request);
      let older = await openPlaceStream();
      for (let round = 1; round <= 20; round += 1) {
        const newer = await openPlaceStream();
        expect(await older.text()).toContain('event: replaced');
        // A client with keep-alive may send its next request on the same connection.
        expect(await charge(foyer.client, token, 1)).toMatchObject({ status: 201, body: { balance: round } });
        older = newer;
      }
      await older.body?.cancel();
    });

    describe('of seats', () => {
      const seatsPath = (scheduleId: string): string => `/schedules/${scheduleId}/seats/events`;

      /** The latest status that the stream has sent for each seat. */
      const latestStatuses = (events: readonly StreamEvent[]): Map<string, string> =>
        new Map(
          events
            .filter(({ event }) => event === 'seats')
            .flatMap(({ data }) =>
              (data.seats as { id: string; status: string }[]).map(({ id, status }) => [id, status]),
            ),
        );

      const untilStatus = (stream: EventStream, ids: readonly string[], status: string): Promise<unknown> =>
        eventually(
          () => Promise.resolve([...latestStatuses(stream.events)]),
          (seats) => ids.every((id) => new Map(seats).get(id) === status),
        );

      it.each(['queue', 'access'])('send every change of a seat, with the %s token', async (kind) => {
        const { client } = foyer;
        const watcher = await startBooking(foyer);
        const stream = await open(
          seatsPath(watcher.scheduleId),
          kind === 'queue' ? watcher.token : watcher.fan.accessToken,
        );
        expectStream(stream);
        const buyer = await enterSale(client, watcher.sale, PRICE);
        const seats = seatsAt(buyer, 0, 1);
        const released = await holdSeats(client, buyer, 0, 1);
        await untilStatus(stream, seats, 'HELD');
        await client.delete(`/reservations/${released.id as string}`, buyer.token);
        await untilStatus(stream, seats, 'AVAILABLE');
        const { id } = await holdSeats(client, buyer, 2);
        await pay(client, buyer.token, id);
        await untilStatus(stream, seatsAt(buyer, 2), 'SOLD');
        expect([...latestStatuses(stream.events).keys()].sort(), 'no other seats').toEqual(
          seatsAt(buyer, 0, 1, 2).sort(),
        );
      });

      it('send AVAILABLE when a hold expires', async () => {
        const watcher = await startBooking(foyer, { policy: { holdSeconds: 2 } });
        const stream = await open(seatsPath(watcher.scheduleId), watcher.token);
        await holdSeats(foyer.client, watcher, 0);
        await untilStatus(stream, seatsAt(watcher, 0), 'HELD');
        await untilStatus(stream, seatsAt(watcher, 0), 'AVAILABLE');
      });

      it('group several changes into fewer events', async () => {
        const { client } = foyer;
        const watcher = await startBooking(foyer);
        const stream = await open(seatsPath(watcher.scheduleId), watcher.token);
        const buyers = [await enterSale(client, watcher.sale), await enterSale(client, watcher.sale)];
        const held = await Promise.all(
          [0, 1, 2, 3, 4, 5].map((seat) => holdSeats(client, buyers[seat % 2]!, seat)),
        );
        await untilStatus(stream, seatsAt(watcher, 0, 1, 2, 3, 4, 5), 'HELD');
        expect(stream.events.length).toBeLessThan(held.length);
      });

      it('send the changes of their own date only', async () => {
        const { client } = foyer;
        const watcher = await startBooking(foyer, { dates: 2 });
        const stream = await open(seatsPath(watcher.sale.scheduleIds[1] ?? ''), watcher.token);
        const other = await open(
          seatsPath(watcher.scheduleId),
          (await enterSale(client, watcher.sale)).token,
        );
        await holdSeats(client, watcher, 0);
        await untilStatus(other, seatsAt(watcher, 0), 'HELD');
        expect(stream.events).toEqual([]);
      });

      it('are replaced by a newer stream of the same place', async () => {
        const { scheduleId, token } = await startBooking(foyer);
        const first = await open(seatsPath(scheduleId), token);
        await open(seatsPath(scheduleId), token);
        await first.next('replaced');
        await first.ended;
      });

      it.each(['left', 'consumed', 'expired'])('close when the place is %s', async (end) => {
        const { client } = foyer;
        const policy = { activeSeconds: end === 'expired' ? 2 : 60 };
        const booking = await startBooking(foyer, { policy, balance: PRICE });
        const stream = await open(seatsPath(booking.scheduleId), booking.token);
        expectStream(stream);
        if (end === 'left') await leave(client, booking.token);
        if (end === 'consumed') await pay(client, booking.token, (await holdSeats(client, booking, 0)).id);
        await stream.ended;
      });
    });
  });
}
