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
interface Held extends Booking {
  readonly reservationId: string;
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const GATED = [
  'the dates',
  'the seats',
  'the chart',
  'the state',
  'the changes of seats',
  'holding',
  'the best seats',
  'paying',
] as const;
const ANOTHER_SECRET = 'a-secret-of-somebody-else';

for (const database of DATABASES) {
  describe(`who is calling, on ${database.name}`, () => {
    const foyer = useFoyer(database);

    /** Every call that the contract calls gated, for a fan who holds a seat. */
    function gatedCalls({
      sale,
      scheduleId,
      seats,
      reservationId,
    }: Held): Record<(typeof GATED)[number], Call> {
      const { client } = foyer;
      const body = { scheduleId, seatIds: [seats[9]] };
      return {
        'the dates': (token) => client.get(`/concerts/${sale.concertId}/schedules`, token),
        'the seats': (token) => client.get(`/schedules/${scheduleId}/seats`, token),
        'the chart': (token) => client.get(`/schedules/${scheduleId}/chart`, token),
        'the state': (token) => client.get(`/schedules/${scheduleId}/state`, token),
        'the changes of seats': (token) => client.get(`/schedules/${scheduleId}/seats/events`, token),
        holding: (token) => client.post('/reservations', token, body),
        'the best seats': (token) => client.post('/reservations/best', token, { scheduleId, count: 1 }),
        paying: (token) => client.post('/payments', token, { reservationId }),
      };
    }

    async function holdOne(booking: Booking): Promise<Held> {
      const { id } = await holdSeats(foyer.client, booking, 0);
      return { ...booking, reservationId: id };
    }

    async function expectEachDenied(
      held: Held,
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

    /** The place is meant whichever of the two credentials speaks for it. */
    async function expectBothDenied(held: Held, reason: string): Promise<void> {
      await expectEachDenied(held, held.token, 403, reason);
      await expectEachDenied(held, held.fan.accessToken, 403, reason);
    }

    describe('the credentials', () => {
      it('are an access token for the account', async () => {
        const { client } = foyer;
        const body = { email: `${randomUUID()}@fans.example`, password: 'fan-password', name: 'F' };
        const { user, accessToken, expiresAt } = (await client.post('/users', undefined, body)).body;
        const { header, claims } = readToken(accessToken);
        expect(header).toMatchObject({ alg: 'HS256', typ: 'access+jwt' });
        expect(claims).toMatchObject({ iss: 'foyer', sub: user.id, exp: Date.parse(expiresAt) / 1000 });
        expect(isSigned(accessToken)).toBe(true);
      });

      it('and a queue token for the account and its place in one room', async () => {
        const { fan, token, sale } = await startBooking(foyer);
        const { header, claims } = readToken(token);
        expect(header).toMatchObject({ alg: 'HS256', typ: 'queue+jwt' });
        expect(claims).toMatchObject({ iss: 'foyer', sub: fan.id, aud: sale.concertId });
        expect(claims['jti']).toMatch(UUID);
        expect(isSigned(token)).toBe(true);
      });

      it('both open the gate while the place is ACTIVE', async () => {
        const held = await holdOne(await startBooking(foyer, { balance: 2 * PRICE }));
        const { client } = foyer;
        for (const token of [held.token, held.fan.accessToken]) {
          expect((await client.get(`/concerts/${held.sale.concertId}/schedules`, token)).status).toBe(200);
          expect((await client.get(`/schedules/${held.scheduleId}/seats`, token)).status).toBe(200);
        }
        const second = await hold(client, held.fan.accessToken, held.sale, seatsAt(held, 1));
        expect(second.status, second.text).toBe(201);
        expect((await pay(client, held.fan.accessToken, held.reservationId)).status).toBe(201);
      });

      it('are access tokens too when another signer made them after the contract', async () => {
        const fan = await signUpFan(foyer.client);
        const answer = await foyer.client.get('/users/me', forgeAccess(fan.id));
        expect(answer).toMatchObject({ status: 200, body: { id: fan.id } });
      });
    });

    describe('a caller is not let in', () => {
      it('without a credential', async () => {
        const held = await holdOne(await startBooking(foyer));
        await expectEachDenied(held, undefined, 401, 'MISSING');
        const { client } = foyer;
        const joining = await client.post(`/concerts/${held.sale.concertId}/queue-tokens`, undefined);
        expectDenied(joining, 401, 'MISSING');
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
        // Nothing else of a call is looked at before that.
        for (const path of ['/reservations', '/payments', '/wallet/charges']) {
          expectDenied(await client.post(path, undefined, { nonsense: true }), 401, 'MISSING');
          expectDenied(await client.post(path, 'nonsense', {}), 401, 'INVALID');
        }
      });

      it('with a token that is forged, malformed, expired or of no kind that we know', async () => {
        const held = await holdOne(await startBooking(foyer));
        const { token: queue, fan } = held;
        const { accessToken: access } = fan;
        const [head = '', , signature = ''] = access.split('.');
        const otherClaims = forgeAccess(randomUUID()).split('.')[1] ?? '';
        const bad: Record<string, string> = {
          'no JWT': 'nonsense',
          'three parts of nothing': 'a.b.c',
          'cut off': access.slice(0, -1),
          'claims exchanged': `${head}.${otherClaims}.${signature}`,
          "signed with another's secret": resign(access, { secret: ANOTHER_SECRET }),
          "a queue token signed with another's secret": resign(queue, { secret: ANOTHER_SECRET }),
          'alg none': resign(access, { header: { alg: 'none' } }),
          'a queue token with alg none': resign(queue, { header: { alg: 'none' } }),
          'alg HS512': resign(access, { header: { alg: 'HS512' } }),
          'another issuer': resign(access, { claims: { iss: 'somebody' } }),
          'a queue token of another issuer': resign(queue, { claims: { iss: 'somebody' } }),
          'no issuer': resign(access, { claims: { iss: undefined } }),
          'typ JWT': resign(access, { header: { typ: 'JWT' } }),
          'no typ': forge({ header: { alg: 'HS256' }, claims: readToken(access).claims }),
          'an access token that says it is a queue token': resign(access, { header: { typ: 'queue+jwt' } }),
          'a queue token that says it is an access token': resign(queue, { header: { typ: 'access+jwt' } }),
          'an access token that has expired': forgeAccess(fan.id, { claims: { exp: secondsFromNow(-1) } }),
          'an access token without an end': forgeAccess(fan.id, { claims: { exp: undefined } }),
          'an access token of nobody': resign(access, { claims: { sub: undefined } }),
        };
        for (const [name, token] of Object.entries(bad)) {
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
          const joining = await foyer.client.post(`/concerts/${held.sale.concertId}/queue-tokens`, token);
          expectDenied(joining, 401, 'INVALID');
        }
        await expectEachDenied(held, bad['alg none'], 401, 'INVALID');
        const basic = { headers: { authorization: 'Basic Zm95ZXI6Zm95ZXI=' } };
        expectProblem(await foyer.client.call('GET', '/users/me', basic), 401, 'ACCESS_DENIED');
      });

      it('with one kind of token where the other is asked for', async () => {
        const { fan, token, sale } = await startBooking(foyer);
        const { client } = foyer;
        expectDenied(await client.post(`/concerts/${sale.concertId}/queue-tokens`, token), 401, 'INVALID');
        expectDenied(await client.get('/queue-tokens/me', fan.accessToken), 401, 'INVALID');
        expectDenied(await client.get('/queue-tokens/me/events', fan.accessToken), 401, 'INVALID');
        expectDenied(await client.delete('/queue-tokens/me', fan.accessToken), 401, 'INVALID');
      });

      it('who has never joined', async () => {
        const held = await holdOne(await startBooking(foyer));
        const stranger = await signUpFan(foyer.client);
        for (const [name, call] of Object.entries(gatedCalls(held))) {
          if (name !== 'paying') expectDenied(await call(stranger.accessToken), 403, 'NOT_ACTIVE');
        }
      });

      it('who is still waiting', async () => {
        const { client, operator } = foyer;
        const held = await holdOne(await startBooking(foyer));
        await leave(client, held.token);
        await patchRoom(client, operator, held.sale, { paused: true });
        const waiting = await join(client, held.fan, held.sale);
        expect(waiting.body.status).toBe('WAITING');
        await expectBothDenied({ ...held, token: waiting.body.token }, 'NOT_ACTIVE');
      });

      it('whose place has outlived its lifetime, from that instant', async () => {
        const { client } = foyer;
        const held = await holdOne(await startBooking(foyer, { policy: { activeSeconds: 2 } }));
        const { expiresAt } = (await client.get('/queue-tokens/me', held.token)).body;
        await untilPast(expiresAt);
        await expectBothDenied(held, 'EXPIRED');
      });

      it('whose place has been idle for too long, from that instant', async () => {
        const held = await holdOne(await startBooking(foyer));
        await patchRoom(foyer.client, foyer.operator, held.sale, { idleSeconds: 1 });
        await untilPast(new Date(Date.now() + 1000).toISOString());
        await expectBothDenied(held, 'EXPIRED');
      });

      it('whose place was used up by paying', async () => {
        const held = await holdOne(await startBooking(foyer, { balance: 2 * PRICE }));
        const { id: other } = await holdSeats(foyer.client, held, 1);
        expect((await pay(foyer.client, held.token, other)).status).toBe(201);
        await expectBothDenied(held, 'USED');
      });

      it('whose place was used up by reserving, where that consumes it', async () => {
        const policy = { consumeOn: 'RESERVATION' };
        const held = await holdOne(await startBooking(foyer, { policy }));
        for (const token of [held.token, held.fan.accessToken]) {
          for (const [name, call] of Object.entries(gatedCalls(held))) {
            if (name !== 'paying') expectDenied(await call(token), 403, 'USED');
          }
        }
      });

      it('who left the room', async () => {
        const held = await holdOne(await startBooking(foyer));
        expect((await leave(foyer.client, held.token)).status).toBe(204);
        await expectBothDenied(held, 'LEFT');
      });

      it('with the queue token of another concert, though the same fan is admitted to this one', async () => {
        const { client, operator } = foyer;
        const held = await holdOne(await startBooking(foyer, { balance: PRICE }));
        const elsewhere = await joinActive(client, held.fan, await openSale(client, operator));
        await expectEachDenied(held, elsewhere, 403, 'WRONG_CONCERT');
        expect((await pay(client, held.fan.accessToken, held.reservationId)).status).toBe(201);
      });

      it('whose account no longer exists', async () => {
        const nobody = forgeAccess(randomUUID());
        for (const path of ['/users/me', '/wallet', '/wallet/entries', '/reservations', '/payments']) {
          expectProblem(await foyer.client.get(path, nobody), 404, 'USER_NOT_FOUND');
        }
        const charging = await foyer.client.post('/wallet/charges', nobody, { amount: 1 });
        expectProblem(charging, 404, 'USER_NOT_FOUND');
      });

      it.each(GATED)('to %s, whose account no longer exists', async (name) => {
        const held = await holdOne(await startBooking(foyer));
        const answer = await gatedCalls(held)[name](forgeAccess(randomUUID()));
        expectProblem(answer, 404, 'USER_NOT_FOUND');
      });

      it.each(GATED)('to %s, with the queue token of an account that no longer exists', async (name) => {
        const held = await holdOne(await startBooking(foyer));
        const nobody = resign(held.token, { claims: { sub: randomUUID(), jti: randomUUID() } });
        expectProblem(await gatedCalls(held)[name](nobody), 404, 'USER_NOT_FOUND');
      });
    });

    it('a queue token means its own place, an access token the live one', async () => {
      const { client } = foyer;
      const first = await startBooking(foyer);
      await leave(client, first.token);
      const second = await joinActive(client, first.fan, first.sale);
      const seats = `/schedules/${first.scheduleId}/seats`;
      expectDenied(await client.get(seats, first.token), 403, 'LEFT');
      expect((await client.get(seats, second)).status).toBe(200);
      expect((await client.get(seats, first.fan.accessToken)).status).toBe(200);
    });

    it("nobody gets in with another fan's place", async () => {
      const { client } = foyer;
      const first = await startBooking(foyer);
      const second = await enterSale(client, first.sale);
      const { reservationId } = await holdOne(first);
      expectProblem(await pay(client, second.token, reservationId), 404, 'RESERVATION_NOT_FOUND');
    });
  });
}
