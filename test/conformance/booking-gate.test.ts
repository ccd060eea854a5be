import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  type Booking,
  enterSale,
  holdSeats,
  patchRoom,
  seatsAt,
  startBooking,
  untilPast,
} from '../support/booking.js';
import type { Answer } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { forge, forgeAccess, isSigned, readToken, resign, secondsFromNow } from '../support/forge.js';
import { useFoyer } from '../support/foyer.js';
import { hold, join, joinActive, openSale, pay, PRICE, signUpFan } from '../support/sale.js';
import { expectDenied, expectProblem } from '../support/shapes.js';
import { leave } from '../support/steps.js';

type Call = (token?: string) => Promise<Answer>;
interface BookingWithHold extends Booking {
  readonly reservationId: string;
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const GATED = [
  'listing dates',
  'listing seats',
  'reading the seat chart',
  'reading the seat state',
  'streaming seat changes',
  'holding seats',
  'holding the best seats',
  'paying',
] as const;
const ANOTHER_SECRET = 'another-secret-for-tests-only';

for (const database of DATABASES) {
  describe(`the booking gate on ${database.name}`, () => {
    const foyer = useFoyer(database);

    /** Every call that needs an ACTIVE place, for a fan who holds a seat. */
    function gatedCalls({
      sale,
      scheduleId,
      seats,
      reservationId,
    }: BookingWithHold): Record<(typeof GATED)[number], Call> {
      const { client } = foyer;
      const body = { scheduleId, seatIds: [seats[9]] };
      return {
        'listing dates': (token) => client.get(`/concerts/${sale.concertId}/schedules`, token),
        'listing seats': (token) => client.get(`/schedules/${scheduleId}/seats`, token),
        'reading the seat chart': (token) => client.get(`/schedules/${scheduleId}/chart`, token),
        'reading the seat state': (token) => client.get(`/schedules/${scheduleId}/state`, token),
        'streaming seat changes': (token) => client.get(`/schedules/${scheduleId}/seats/events`, token),
        'holding seats': (token) => client.post('/reservations', token, body),
        'holding the best seats': (token) =>
          client.post('/reservations/best', token, { scheduleId, count: 1 }),
        paying: (token) => client.post('/payments', token, { reservationId }),
      };
    }

    async function withHold(booking: Booking): Promise<BookingWithHold> {
      const { id } = await holdSeats(foyer.client, booking, 0);
      return { ...booking, reservationId: id };
    }

    async function expectEachDenied(
      held: BookingWithHold,
      token: string | undefined,
      status: 401 | 403,
      reason: string,
    ) {
      for (const [name, call] of Object.entries(gatedCalls(held))) {
        const answer = await call(token);
        expect({ name, status: answer.status, reason: answer.body?.reason }).toEqual({
          name,
          status,
          reason,
        });
        expectDenied(answer, status, reason);
      }
    }

    /** Expects the same denial for the queue token and for the access token. */
    async function expectBothDenied(held: BookingWithHold, reason: string): Promise<void> {
      await expectEachDenied(held, held.token, 403, reason);
      await expectEachDenied(held, held.fan.accessToken, 403, reason);
    }

    describe('the credentials', () => {
      it('include an access token with the claims of the account', async () => {
        const { client } = foyer;
        const body = { email: `${randomUUID()}@fans.example`, password: 'fan-password', name: 'F' };
        const { user, accessToken, expiresAt } = (await client.post('/users', undefined, body)).body;
        const { header, claims } = readToken(accessToken);
        expect(header).toMatchObject({ alg: 'HS256', typ: 'access+jwt' });
        expect(claims).toMatchObject({ iss: 'foyer', sub: user.id, exp: Date.parse(expiresAt) / 1000 });
        expect(isSigned(accessToken)).toBe(true);
      });

      it('include a queue token with the claims of the account, the concert and the place', async () => {
        const { fan, token, sale } = await startBooking(foyer);
        const { header, claims } = readToken(token);
        expect(header).toMatchObject({ alg: 'HS256', typ: 'queue+jwt' });
        expect(claims).toMatchObject({ iss: 'foyer', sub: fan.id, aud: sale.concertId });
        expect(claims['jti']).toMatch(UUID);
        expect(isSigned(token)).toBe(true);
      });

      it('both give access while the place is ACTIVE', async () => {
        const held = await withHold(await startBooking(foyer, { balance: 2 * PRICE }));
        const { client } = foyer;
        for (const token of [held.token, held.fan.accessToken]) {
          expect((await client.get(`/concerts/${held.sale.concertId}/schedules`, token)).status).toBe(200);
          expect((await client.get(`/schedules/${held.scheduleId}/seats`, token)).status).toBe(200);
        }
        const second = await hold(client, held.fan.accessToken, held.sale, seatsAt(held, 1));
        expect(second.status, second.text).toBe(201);
        expect((await pay(client, held.fan.accessToken, held.reservationId)).status).toBe(201);
      });

      it('include access tokens that another signer issued with the same secret', async () => {
        const fan = await signUpFan(foyer.client);
        const answer = await foyer.client.get('/users/me', forgeAccess(fan.id));
        expect(answer).toMatchObject({ status: 200, body: { id: fan.id } });
      });
    });

    describe('denied requests', () => {
      it('return 401 MISSING without a credential', async () => {
        const held = await withHold(await startBooking(foyer));
        await expectEachDenied(held, undefined, 401, 'MISSING');
        const { client } = foyer;
        const joinAnswer = await client.post(`/concerts/${held.sale.concertId}/queue-tokens`, undefined);
        expectDenied(joinAnswer, 401, 'MISSING');
        for (const path of [
          '/users/me',
          '/queue-tokens/me',
          '/queue-tokens/me/events',
          '/wallet',
          '/wallet/entries',
        ]) {
          expectDenied(await client.get(path), 401, 'MISSING');
        }
        for (const path of ['/reservations', '/payments', `/reservations/${held.reservationId}`]) {
          expectDenied(await client.get(path), 401, 'MISSING');
        }
        expectDenied(await client.post('/wallet/charges', undefined, { amount: 1 }), 401, 'MISSING');
        expectDenied(await client.delete(`/reservations/${held.reservationId}`), 401, 'MISSING');
        expectDenied(await client.delete('/queue-tokens/me'), 401, 'MISSING');
        // The credential is checked before the body.
        for (const path of ['/reservations', '/payments', '/wallet/charges']) {
          expectDenied(await client.post(path, undefined, { nonsense: true }), 401, 'MISSING');
          expectDenied(await client.post(path, 'nonsense', {}), 401, 'INVALID');
        }
      });

      it('return 401 INVALID with a forged, malformed, expired or unknown kind of token', async () => {
        const held = await withHold(await startBooking(foyer));
        const { token: queue, fan } = held;
        const { accessToken: access } = fan;
        const [head = '', , signature = ''] = access.split('.');
        const otherClaims = forgeAccess(randomUUID()).split('.')[1] ?? '';
        const badTokens: Record<string, string> = {
          'not a JWT': 'nonsense',
          'three meaningless parts': 'a.b.c',
          truncated: access.slice(0, -1),
          'claims of another token': `${head}.${otherClaims}.${signature}`,
          'signed with another secret': resign(access, { secret: ANOTHER_SECRET }),
          'a queue token signed with another secret': resign(queue, { secret: ANOTHER_SECRET }),
          'alg none': resign(access, { header: { alg: 'none' } }),
          'a queue token with alg none': resign(queue, { header: { alg: 'none' } }),
          'alg HS512': resign(access, { header: { alg: 'HS512' } }),
          'another issuer': resign(access, { claims: { iss: 'another-issuer' } }),
          'a queue token of another issuer': resign(queue, { claims: { iss: 'another-issuer' } }),
          'no issuer': resign(access, { claims: { iss: undefined } }),
          'typ JWT': resign(access, { header: { typ: 'JWT' } }),
          'no typ': forge({ header: { alg: 'HS256' }, claims: readToken(access).claims }),
          'an access token that says it is a queue token': resign(access, { header: { typ: 'queue+jwt' } }),
          'a queue token that says it is an access token': resign(queue, { header: { typ: 'access+jwt' } }),
          'an access token that has expired': forgeAccess(fan.id, { claims: { exp: secondsFromNow(-1) } }),
          'an access token without exp': forgeAccess(fan.id, { claims: { exp: undefined } }),
          'an access token without sub': resign(access, { claims: { sub: undefined } }),
        };
        for (const [name, token] of Object.entries(badTokens)) {
          for (const [call, ask] of Object.entries(gatedCalls(held))) {
            expect({ name, call, reason: (await ask(token)).body?.reason }).toEqual({
              name,
              call,
              reason: 'INVALID',
            });
          }
          for (const path of ['/users/me', '/wallet', '/reservations', '/payments', '/queue-tokens/me']) {
            expectDenied(await foyer.client.get(path, token), 401, 'INVALID');
          }
          const joinAnswer = await foyer.client.post(`/concerts/${held.sale.concertId}/queue-tokens`, token);
          expectDenied(joinAnswer, 401, 'INVALID');
        }
        await expectEachDenied(held, badTokens['alg none'], 401, 'INVALID');
        const basic = { headers: { authorization: 'Basic Zm95ZXI6Zm95ZXI=' } };
        expectProblem(await foyer.client.call('GET', '/users/me', basic), 401, 'ACCESS_DENIED');
      });

      it('return 401 INVALID with one kind of token where the other is required', async () => {
        const { fan, token, sale } = await startBooking(foyer);
        const { client } = foyer;
        expectDenied(await client.post(`/concerts/${sale.concertId}/queue-tokens`, token), 401, 'INVALID');
        expectDenied(await client.get('/queue-tokens/me', fan.accessToken), 401, 'INVALID');
        expectDenied(await client.get('/queue-tokens/me/events', fan.accessToken), 401, 'INVALID');
        expectDenied(await client.delete('/queue-tokens/me', fan.accessToken), 401, 'INVALID');
      });

      it('return 403 NOT_ACTIVE for a fan who never joined', async () => {
        const held = await withHold(await startBooking(foyer));
        const stranger = await signUpFan(foyer.client);
        for (const [name, call] of Object.entries(gatedCalls(held))) {
          if (name !== 'paying') expectDenied(await call(stranger.accessToken), 403, 'NOT_ACTIVE');
        }
      });

      it('return 403 NOT_ACTIVE while the place is WAITING', async () => {
        const { client, operator } = foyer;
        const held = await withHold(await startBooking(foyer));
        await leave(client, held.token);
        await patchRoom(client, operator, held.sale, { paused: true });
        const waiting = await join(client, held.fan, held.sale);
        expect(waiting.body.status).toBe('WAITING');
        await expectBothDenied({ ...held, token: waiting.body.token }, 'NOT_ACTIVE');
      });

      it('return 403 EXPIRED from the instant the lifetime of the place ends', async () => {
        const { client } = foyer;
        const held = await withHold(await startBooking(foyer, { policy: { activeSeconds: 2 } }));
        const { expiresAt } = (await client.get('/queue-tokens/me', held.token)).body;
        await untilPast(expiresAt);
        await expectBothDenied(held, 'EXPIRED');
      });

      it('return 403 EXPIRED from the instant the place has been idle for idleSeconds', async () => {
        const held = await withHold(await startBooking(foyer));
        await patchRoom(foyer.client, foyer.operator, held.sale, { idleSeconds: 1 });
        await untilPast(new Date(Date.now() + 1000).toISOString());
        await expectBothDenied(held, 'EXPIRED');
      });

      it('return 403 USED after a payment has consumed the place', async () => {
        const held = await withHold(await startBooking(foyer, { balance: 2 * PRICE }));
        const { id: other } = await holdSeats(foyer.client, held, 1);
        expect((await pay(foyer.client, held.token, other)).status).toBe(201);
        await expectBothDenied(held, 'USED');
      });

      it('return 403 USED after a reservation has consumed the place', async () => {
        const policy = { consumeOn: 'RESERVATION' };
        const held = await withHold(await startBooking(foyer, { policy }));
        for (const token of [held.token, held.fan.accessToken]) {
          for (const [name, call] of Object.entries(gatedCalls(held))) {
            if (name !== 'paying') expectDenied(await call(token), 403, 'USED');
          }
        }
      });

      it('return 403 LEFT after the fan has left', async () => {
        const held = await withHold(await startBooking(foyer));
        expect((await leave(foyer.client, held.token)).status).toBe(204);
        await expectBothDenied(held, 'LEFT');
      });

      it('return 403 WRONG_CONCERT with a queue token of another concert, even to an admitted fan', async () => {
        const { client, operator } = foyer;
        const held = await withHold(await startBooking(foyer, { balance: PRICE }));
        const elsewhere = await joinActive(client, held.fan, await openSale(client, operator));
        await expectEachDenied(held, elsewhere, 403, 'WRONG_CONCERT');
        expect((await pay(client, held.fan.accessToken, held.reservationId)).status).toBe(201);
      });

      it('return 404 USER_NOT_FOUND when the account does not exist', async () => {
        const unknownAccount = forgeAccess(randomUUID());
        for (const path of ['/users/me', '/wallet', '/wallet/entries', '/reservations', '/payments']) {
          expectProblem(await foyer.client.get(path, unknownAccount), 404, 'USER_NOT_FOUND');
        }
        const charging = await foyer.client.post('/wallet/charges', unknownAccount, { amount: 1 });
        expectProblem(charging, 404, 'USER_NOT_FOUND');
      });

      it.each(GATED)(
        'return 404 USER_NOT_FOUND when %s with the access token of an unknown account',
        async (name) => {
          const held = await withHold(await startBooking(foyer));
          const answer = await gatedCalls(held)[name](forgeAccess(randomUUID()));
          expectProblem(answer, 404, 'USER_NOT_FOUND');
        },
      );

      it.each(GATED)(
        'return 404 USER_NOT_FOUND when %s with the queue token of an unknown account',
        async (name) => {
          const held = await withHold(await startBooking(foyer));
          const unknownAccount = resign(held.token, { claims: { sub: randomUUID(), jti: randomUUID() } });
          expectProblem(await gatedCalls(held)[name](unknownAccount), 404, 'USER_NOT_FOUND');
        },
      );
    });

    it('checks the place of a queue token, and the live place of an access token', async () => {
      const { client } = foyer;
      const first = await startBooking(foyer);
      await leave(client, first.token);
      const second = await joinActive(client, first.fan, first.sale);
      const seats = `/schedules/${first.scheduleId}/seats`;
      expectDenied(await client.get(seats, first.token), 403, 'LEFT');
      expect((await client.get(seats, second)).status).toBe(200);
      expect((await client.get(seats, first.fan.accessToken)).status).toBe(200);
    });

    it("returns 404 when a fan pays another fan's reservation", async () => {
      const { client } = foyer;
      const first = await startBooking(foyer);
      const second = await enterSale(client, first.sale);
      const { reservationId } = await withHold(first);
      expectProblem(await pay(client, second.token, reservationId), 404, 'RESERVATION_NOT_FOUND');
    });
  });
}
