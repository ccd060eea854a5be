import { insertPayments } from '../../src/payments/queries.js';
import type { BatchStatement, Statement } from '../../src/platform/sql/index.js';
import { batchTextOf, postgresDialect } from '../../src/platform/sql/postgres/dialect.js';
import {
  confirmReservations,
  insertReservations,
  listSeatCounts,
  lockReservations,
} from '../../src/reservations/queries.js';
import { claimSeats, lockSeats, sellSeats } from '../../src/seating/queries.js';
import { lockLivePlaces, lockPlaces, markPlacesDone } from '../../src/waiting-room/queries.js';
import { changeWallets, insertEntries, lockWallets } from '../../src/wallet/queries.js';
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

/** A batch of one row, with an expression for each column. */
function inlineRow<Columns extends BatchStatement['columns']>(
  command: BatchStatement<Columns>,
  row: { readonly [Column in keyof Columns]: string },
): string {
  const values = Object.keys(command.columns).map((column) => `ARRAY[${row[column] ?? 'NULL'}]`);
  return batchTextOf(command).replace(
    /\$(\d+)/g,
    (_, digits: string) => values[Number(digits) - 1] ?? 'NULL',
  );
}

/** Publishes changes to other processes: the last statement before the commit. */
const publish = (topics: readonly string[], change: string): string =>
  `INSERT INTO changes (topic, change) SELECT t, c
     FROM unnest(ARRAY['${topics.join(`', '`)}'], ARRAY[${topics.map(() => change).join(', ')}])
     WITH ORDINALITY AS x(t, c, n) ORDER BY n`;

const transaction = (...statements: string[]): string =>
  `${SET_N}BEGIN;\n${statements.join(';\n')};\nCOMMIT;\n`;

const ONE = 'ARRAY[:n]::text[]';
const seatsChanged = `'[{"scheduleId":"d","change":{"seatIds":["' || :n || '"],"status":"HELD","untilMs":1}}]'`;

const writeEntry = (type: string, amount: string, balanceAfter: string, reference: string): string[] => [
  inlineRow(changeWallets, { user_id: ':n', position: '2', amount }),
  inlineRow(insertEntries, {
    user_id: ':n',
    position: '2',
    id: ID,
    type,
    amount,
    balance_after: balanceAfter,
    reference,
    created_at: NOW,
  }),
];

export const SCRIPTS: Readonly<Record<ScriptName, string>> = {
  charge: transaction(inlineParams(lockWallets, [ONE]), ...writeEntry(`'CHARGE'`, '100', '1000100', 'NULL')),
  hold: transaction(
    inlineParams(lockPlaces, [ONE]),
    inlineParams(listSeatCounts, [ONE, `ARRAY['d']`]),
    inlineParams(lockSeats, [ONE]),
    inlineRow(claimSeats, { id: ':n', reservation_id: ':n', until: FAR_FUTURE, now: NOW }),
    inlineRow(insertReservations, {
      id: ':n',
      user_id: ':n',
      concert_id: `'c'`,
      schedule_id: `'d'`,
      seats: `'[{"id":"' || :n || '","label":"S-1","grade":"STANDARD","price":10000}]'`,
      seat_labels: `'S-1'`,
      seat_count: '1',
      amount: '10000',
      currency: `'KRW'`,
      consume_on: `'PAYMENT'`,
      created_at: NOW,
      expires_at: FAR_FUTURE,
    }),
    publish(['seats-changed'], seatsChanged),
  ),
  pay: transaction(
    inlineParams(lockReservations, [ONE]),
    inlineParams(lockLivePlaces, [ONE, `ARRAY['c']`]),
    inlineParams(lockWallets, [ONE]),
    inlineParams(lockSeats, [ONE]),
    ...writeEntry(`'PAYMENT'`, '-10000', '990000', ID),
    inlineRow(confirmReservations, { id: ':n', now: NOW }),
    inlineRow(sellSeats, { id: ':n', reservation_id: ':n', now: NOW }),
    inlineRow(markPlacesDone, { id: ':n', now: NOW }),
    inlineRow(insertPayments, {
      id: ID,
      number: ID,
      reservation_id: ':n',
      user_id: ':n',
      concert_id: `'c'`,
      amount: '10000',
      receipt: RECEIPT,
      paid_at: NOW,
    }),
    publish(['seats-changed', 'places-ended'], seatsChanged),
  ),
};
