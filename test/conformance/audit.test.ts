import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { useOwnFoyer } from '../support/foyer.js';
import { openSale, signUpFan } from '../support/sale.js';
import { expectList, expectProblem } from '../support/shapes.js';
import { OPERATOR } from '../support/server.js';

interface Entry {
  readonly action: string;
  readonly actor: { readonly email: string } | null;
  readonly concert: { readonly id: string } | null;
  readonly details: Record<string, unknown>;
}

for (const database of DATABASES) {
  describe(`the audit log on ${database.name}`, () => {
    const foyer = useOwnFoyer(database);

    const entries = async (path = '/operator/audit'): Promise<Entry[]> =>
      expectList<Entry>(await foyer.client.get(path, foyer.operator));
    const entriesOf = async (...actions: readonly string[]): Promise<Entry[]> =>
      (await entries('/operator/audit?limit=200')).filter(({ action }) => actions.includes(action));
    const signIn = (email: string, password: string): Promise<Answer> =>
      foyer.client.post('/sessions', undefined, { email, password });

    it('is for operators only', async () => {
      const fan = await signUpFan(foyer.client);
      expectProblem(await foyer.client.get('/operator/audit', fan.accessToken), 403, 'FORBIDDEN');
      expectProblem(await foyer.client.get('/operator/audit'), 401, 'ACCESS_DENIED');
    });

    it('records sign-ins of operators with the address of the client, and never a password', async () => {
      const before = await entriesOf('OPERATOR_SIGNED_IN');
      expect((await signIn(OPERATOR.email, OPERATOR.password)).status).toBe(201);
      const [entry, ...rest] = await entriesOf('OPERATOR_SIGNED_IN');
      expect(rest).toHaveLength(before.length);
      expect(entry).toMatchObject({ actor: { email: OPERATOR.email }, concert: null });
      expect(entry?.details).toEqual({ client: expect.stringContaining('127.0.0.1') as unknown });
    });

    it('does not record sign-ins of fans or of unknown addresses', async () => {
      const fan = await signUpFan(foyer.client);
      const before = await entriesOf('OPERATOR_SIGNED_IN', 'OPERATOR_SIGN_IN_FAILED');
      await signIn(fan.email, 'fan-password');
      expectProblem(await signIn(fan.email, 'wrong-password'), 401, 'WRONG_CREDENTIALS');
      expectProblem(await signIn('nobody@example.com', 'wrong-password'), 401, 'WRONG_CREDENTIALS');
      expect(await entriesOf('OPERATOR_SIGNED_IN', 'OPERATOR_SIGN_IN_FAILED')).toEqual(before);
    });

    it('records failed sign-ins of an operator, but not more than ten in a minute', async () => {
      expectProblem(await signIn(OPERATOR.email, 'secret-guess-0'), 401, 'WRONG_CREDENTIALS');
      const [failed] = await entriesOf('OPERATOR_SIGN_IN_FAILED');
      expect(failed).toMatchObject({ actor: { email: OPERATOR.email }, concert: null });
      for (let guess = 1; guess < 14; guess += 1) await signIn(OPERATOR.email, `secret-guess-${guess}`);
      expect(await entriesOf('OPERATOR_SIGN_IN_FAILED')).toHaveLength(10);
      const { text } = await foyer.client.get('/operator/audit?limit=200', foyer.operator);
      expect(text).not.toContain('secret-guess');
    });

    it('records every search and every CSV download with its text, but no plain list', async () => {
      const { client, operator } = foyer;
      const { concertId } = await openSale(client, operator);
      const read = (path: string, accept = 'application/json') =>
        client.call('GET', `/operator/concerts/${concertId}/${path}`, {
          token: operator,
          headers: { accept },
        });
      await read('reservations');
      await read('reservations?q=kim%40fans.example');
      await read('payments?q=R-1', 'text/csv');
      expect((await read('reservations', 'text/csv')).status).toBe(200);
      const [csv, csvSearch, search, created] = await entries(`/operator/concerts/${concertId}/audit`);
      expect(created).toMatchObject({ action: 'CONCERT_CREATED', concert: { id: concertId } });
      expect(search).toMatchObject({
        action: 'SALES_SEARCHED',
        actor: { email: OPERATOR.email },
        details: { list: 'reservations', q: 'kim@fans.example' },
      });
      expect(csvSearch).toMatchObject({ action: 'SALES_EXPORTED', details: { list: 'payments', q: 'R-1' } });
      expect(csv).toMatchObject({ action: 'SALES_EXPORTED', details: { list: 'reservations' } });
    });

    it('lists the entries of all concerts newest first, page by page', async () => {
      const { client, operator } = foyer;
      const first = await openSale(client, operator);
      const second = await openSale(client, operator);
      const { body } = await client.get('/operator/audit?limit=1', operator);
      expect(body.items).toMatchObject([{ action: 'CONCERT_CREATED', concert: { id: second.concertId } }]);
      const next = await client.get(`/operator/audit?limit=1&cursor=${body.nextCursor as string}`, operator);
      expect(next.body.items).toMatchObject([{ concert: { id: first.concertId } }]);
    });
  });
}
