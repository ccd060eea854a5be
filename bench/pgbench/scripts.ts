import { insertPayment } from '../../src/payments/queries.js';
import type { Statement } from '../../src/platform/sql/index.js';
import { postgresDialect } from '../../src/platform/sql/postgres/dialect.js';
import { confirmReservation, insertReservation, lockReservation } from '../../src/reservations/queries.js';
import { claimAvailableSeats, sellSeats } from '../../src/seating/queries.js';
import { lockPlace, markPlaceDone } from '../../src/waiting-room/queries.js';
import { creditWallet, debitWallet, insertEntry } from '../../src/wallet/queries.js';
import { FAR_MS } from './fixture.js';

/** The transactions of Foyer as pgbench scripts, made of the very statements that Foyer sends. */
export type ScriptName = 'charge' | 'hold' | 'pay';

const NOW = '2';
const FAR = String(FAR_MS);
const ID = `'0190a1b2-c3d4-7e5f-8a9b-' || :n`;
const RECEIPT = `'${'x'.repeat(420)}'`;

/** `n` counts up over all clients without meeting another one's, up to what the fixture has. */
const COUNT = String.raw`\set i :i + 1
\set n (:i - 1) * :clients + :client_id + 1
`;

/** The statement's text with an expression of pgbench's in place of each parameter. */
function spell<Params extends readonly unknown[]>(
  { text }: Pick<Statement<never, unknown>, 'text'> & { readonly types?: { readonly params: Params } },
  params: { readonly [Index in keyof Params]: string },
): string {
  const list: readonly string[] = params;
  return text(postgresDialect).replace(/\$(\d+)/g, (_, digits: string) => list[Number(digits) - 1] ?? 'NULL');
}

/** What other processes are told, as the last statement before the commit. */
const announce = (topics: readonly string[], change: string): string =>
  `INSERT INTO changes (topic, change) SELECT t, c
     FROM unnest(ARRAY['${topics.join(`', '`)}'], ARRAY[${topics.map(() => change).join(', ')}])
     WITH ORDINALITY AS x(t, c, n) ORDER BY n`;

const transaction = (...statements: string[]): string =>
  `${COUNT}BEGIN;\n${statements.join(';\n')};\nCOMMIT;\n`;

const SEATS = 'ARRAY[:n]::text[]';
const seatsChanged = `'{"scheduleId":"d","change":{"seatIds":["' || :n || '"],"status":"HELD","untilMs":1}}'`;

export const SCRIPTS: Readonly<Record<ScriptName, string>> = {
  charge: transaction(
    spell(creditWallet, [':n', '100', '1000000000000']),
    spell(insertEntry, [':n', ID, `'CHARGE'`, '100', 'NULL', NOW]),
  ),
  hold: transaction(
    spell(lockPlace, [':n']),
    spell(claimAvailableSeats, [SEATS, ':n', FAR]),
    spell(insertReservation, [
      ':n',
      `'c'`,
      `'d'`,
      `'[{"id":"' || :n || '","label":"S-1","grade":"STANDARD","price":10000}]'`,
      '1',
      '10000',
      `'KRW'`,
      `'PAYMENT'`,
      NOW,
      FAR,
      ':n',
      '100',
    ]),
    announce(['seats-changed'], seatsChanged),
  ),
  pay: transaction(
    spell(lockReservation, [':n']),
    spell(lockPlace, [':n']),
    spell(debitWallet, [':n', '10000']),
    spell(insertEntry, [':n', ID, `'PAYMENT'`, '-10000', ID, NOW]),
    spell(confirmReservation, [':n', NOW]),
    spell(sellSeats, [SEATS, ':n', NOW]),
    spell(markPlaceDone, [':n', NOW]),
    spell(insertPayment, [ID, ID, ':n', ':n', `'c'`, '10000', RECEIPT, NOW]),
    announce(['seats-changed', 'places-ended'], seatsChanged),
  ),
};
