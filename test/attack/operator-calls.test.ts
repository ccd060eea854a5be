import { describe, expect, it } from 'vitest';
import { operations } from '../support/attack/operations.js';
import { startBooking } from '../support/booking.js';
import { sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { PRICE } from '../support/sale.js';
import { expectProblem } from '../support/shapes.js';
import { claim, payFor, policyOf } from '../support/steps.js';

const OPERATOR_CALLS = operations().filter(({ isOperatorOnly }) => isOperatorOnly);

describe('operator calls', () => {
  const foyer = useFoyer(sqlite);

  it('are listed in openapi.json', () => {
    expect(OPERATOR_CALLS.length).toBeGreaterThanOrEqual(15);
  });

  it('are all refused with 403 for an access token or queue token of a fan, and change nothing', async () => {
    const { client, operator } = foyer;
    const { fan, token, sale, scheduleId, seats } = await startBooking(foyer, { balance: PRICE });
    const { id } = await claim(client, token, sale, seats.slice(0, 1));
    const receipt = await payFor(client, token, id);
    const before = await policyOf(client, operator, sale);
    const existingIds: Readonly<Record<string, string>> = {
      concerts: sale.concertId,
      schedules: scheduleId,
      payments: receipt.id,
    };
    for (const { name, method, path, body } of OPERATOR_CALLS) {
      // The ids exist and the receipt belongs to the fan, so only the role can be the reason for the refusal.
      const target = path.replace(/^\/operator\/(\w+)\/[^/]+/, (_, kind: string) => {
        return `/operator/${kind}/${existingIds[kind] ?? ''}`;
      });
      for (const credential of [fan.accessToken, token]) {
        const answer = await client.call(method, target, { token: credential, body });
        expect([name, answer.status, answer.body?.code]).toEqual([name, 403, 'FORBIDDEN']);
      }
    }
    expect(await policyOf(client, operator, sale)).toEqual(before);
    expect((await client.get(`/payments/${receipt.id}`, fan.accessToken)).body.refundedAt ?? null).toBeNull();
    expect((await client.get('/wallet', fan.accessToken)).body.balance).toBe(0);
  });

  it('refuse a large body before reading it if the caller is not an operator', async () => {
    const { client } = foyer;
    const { fan } = await startBooking(foyer);
    const raw = `{"title":"${'x'.repeat(1_000_000)}"}`;
    for (const [token, status, code] of [
      [fan.accessToken, 403, 'FORBIDDEN'],
      [undefined, 401, 'ACCESS_DENIED'],
    ] as const) {
      expectProblem(await client.call('POST', '/operator/concerts', { token, raw }), status, code);
    }
  });

  it('cannot be unlocked by signing up with the operator role', async () => {
    const body = { email: 'sly@fans.example', password: 'fan-password', name: 'Sly', role: 'OPERATOR' };
    expectProblem(await foyer.client.post('/users', undefined, body), 400, 'INVALID_REQUEST');
  });
});
