import { describe, expect, it } from 'vitest';
import { operations } from '../support/attack/operations.js';
import { startBooking } from '../support/booking.js';
import { sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { PRICE } from '../support/sale.js';
import { expectProblem } from '../support/shapes.js';
import { claim, payFor, policyOf } from '../support/steps.js';

const OPERATORS = operations().filter(({ isOperatorOnly }) => isOperatorOnly);

describe("the operator's calls", () => {
  const foyer = useFoyer(sqlite);

  it('are found in the description', () => {
    expect(OPERATORS.length).toBeGreaterThanOrEqual(15);
  });

  it('are refused to fans with either token, all of them, and change nothing', async () => {
    const { client, operator } = foyer;
    const { fan, token, sale, scheduleId, seats } = await startBooking(foyer, { balance: PRICE });
    const { id } = await claim(client, token, sale, seats.slice(0, 1));
    const receipt = await payFor(client, token, id);
    const before = await policyOf(client, operator, sale);
    const real: Readonly<Record<string, string>> = {
      concerts: sale.concertId,
      schedules: scheduleId,
      payments: receipt.id,
    };
    for (const { name, method, path, body } of OPERATORS) {
      // With ids that exist, their own receipt among them: nothing but the role is missing.
      const target = path.replace(/^\/operator\/(\w+)\/[^/]+/, (_, kind: string) => {
        return `/operator/${kind}/${real[kind] ?? ''}`;
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

  it('read no seating plan of somebody who is no operator', async () => {
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

  it('are not among what somebody who signs up may ask to be', async () => {
    const body = { email: 'sly@fans.example', password: 'fan-password', name: 'Sly', role: 'OPERATOR' };
    expectProblem(await foyer.client.post('/users', undefined, body), 400, 'INVALID_REQUEST');
  });
});
