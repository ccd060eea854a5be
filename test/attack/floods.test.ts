import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { useOwnFoyer } from '../support/foyer.js';
import { signUpFan } from '../support/sale.js';
import { balanceOf, charge } from '../support/steps.js';

/** More than the queues of two processes accept from one user. */
const FLOOD = 400;

for (const database of DATABASES) {
  describe(`one account that sends ${FLOOD} concurrent charges on ${database.name}`, () => {
    // Without the limit on charges, only the queue per user protects the others.
    const foyer = useOwnFoyer(database, {
      FOYER_RATE_LIMITS: 'on',
      FOYER_LIMIT_CHARGE_ACCOUNT: 'off',
      FOYER_DATABASE_CONNECTIONS: '4',
    });

    it('does not delay the charge of another account, and loses none that was accepted', async () => {
      const { client } = foyer;
      const [attacker, victim] = [await signUpFan(client), await signUpFan(client)];
      let answered = 0;
      const flood = Array.from({ length: FLOOD }, async (): Promise<Answer> => {
        const answer = await charge(client, attacker.accessToken, 1);
        if (answer.status === 201) answered += 1;
        return answer;
      });
      // The flood has arrived when its surplus is refused.
      await Promise.race(
        flood.map((each) => each.then(({ status }) => status === 429 || new Promise(() => 0))),
      );
      const before = answered;
      expect((await charge(client, victim.accessToken, 1)).status).toBe(201);
      const meanwhile = answered - before;
      const statuses = (await Promise.all(flood)).map(({ status }) => status);
      const accepted = statuses.filter((status) => status === 201).length;
      expect(new Set(statuses)).toEqual(new Set([201, 429]));
      expect(await balanceOf(client, attacker.accessToken)).toBe(accepted);
      // In one line with the flood, the charge of the victim would have waited for all of the accepted charges.
      expect(meanwhile).toBeLessThan(accepted - before);
    });
  });
}
