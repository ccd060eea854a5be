import { insertPayment } from '../../src/payments/queries.js';
import type { Statement } from '../../src/platform/sql/index.js';
import { postgresDialect } from '../../src/platform/sql/postgres/dialect.js';
import { confirmReservation, insertReservation, lockReservation } from '../../src/reservations/queries.js';
import { claimAvailableSeats, sellSeats } from '../../src/seating/queries.js';
import { lockPlace, markPlaceDone } from '../../src/waiting-room/queries.js';
import { creditWallet, debitWallet, insertEntry } from '../../src/wallet/queries.js';
import { FAR_FUTURE_MS } from './fixture.js';

/** Foyer's transactions as pgbench scripts, generated from the SQL statements that Foyer itself sends. */
export type ScriptName = 'charge' | 'hold' | 'pay';

const NOW = '2';
const FAR_FUTURE = String(FAR_FUTURE_MS);
const ID = `'0190a1b2-c3d4-7e5f-8a9b-' || :n`;
const RECEIPT = `'${'x'.repeat(420)}'`;

/** Sets `n` to a number that no other client uses. */
const SET_N = String.raw`\set i :i + 1
\set n (:i - 1) * :clients + :client_id + 1
`;

/** Replaces each parameter of the statement by a pgbench expression. */
function inlineParams<Params extends readonly unknown[]>(
  { text }: Pick<Statement<never, unknown>, 'text'> & { readonly types?: { readonly params: Params } },
  params: { readonly [Index in keyof Params]: string },
): string {
  const list: readonly string[] = params;
  return text(postgresDialect).replace(/\$(\d+)/g, (_, digits: string) => list[Number(digits) - 1] ?? 'NULL');
}

/** Publishes changes to other processes: the last statement before the commit. */
const publish = (topics: readonly string[], change: string): string =>
  `INSERT INTO changes (topic, change) SELECT t, c
     FROM unnest(ARRAY['${topics.join(`', '`)}'], ARRAY[${topics.map(() => change).join(', ')}])
     WITH ORDINALITY AS x(t, c, n) ORDER BY n`;

const transaction = (...statements: string[]): string =>
  `${SET_N}BEGIN;\n${statements.join(';\n')};\nCOMMIT;\n`;

const SEATS = 'ARRAY[:n]::text[]';
const seatsChanged = `'{"scheduleId":"d","change":{"seatIds":["' || :n || '"],"status":"HELD","untilMs":1}}'`;

export const SCRIPTS: Readonly<Record<ScriptName, string>> = {
  charge: transaction(
    inlineParams(creditWallet, [':n', '100', '1000000000000']),
    inlineParams(insertEntry, [':n', ID, `'CHARGE'`, '100', 'NULL', NOW]),
  ),
  hold: transaction(
    inlineParams(lockPlace, [':n']),
    inlineParams(claimAvailableSeats, [SEATS, ':n', FAR_FUTURE]),
    inlineParams(insertReservation, [
      ':n',
      `'c'`,
      `'d'`,
      `'[{"id":"' || :n || '","label":"S-1","grade":"STANDARD","price":10000}]'`,
      '1',
      '10000',
      `'KRW'`,
      `'PAYMENT'`,
      NOW,
      FAR_FUTURE,
      ':n',
      '100',
      `'S-1'`,
    ]),
    publish(['seats-changed'], seatsChanged),
  ),
  pay: transaction(
    inlineParams(lockReservation, [':n']),
    inlineParams(lockPlace, [':n']),
    inlineParams(debitWallet, [':n', '10000']),
    inlineParams(insertEntry, [':n', ID, `'PAYMENT'`, '-10000', ID, NOW]),
    inlineParams(confirmReservation, [':n', NOW]),
    inlineParams(sellSeats, [SEATS, ':n', NOW]),
    inlineParams(markPlaceDone, [':n', NOW]),
    inlineParams(insertPayment, [ID, ID, ':n', ':n', `'c'`, '10000', RECEIPT, NOW]),
    publish(['seats-changed', 'places-ended'], seatsChanged),
  ),
};
