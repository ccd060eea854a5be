import { type AccountRow, findAccount } from '../accounts/index.js';
import { listAuditEntriesOfActor, toAuditEntry } from '../audit/index.js';
import { iso, isoOrNull } from '../kernel/time.js';
import { Refusal } from '../kernel/refusal.js';
import { listMailsTo } from '../mail/index.js';
import { listPaymentsOf, receiptOf } from '../payments/index.js';
import type { Reader } from '../platform/sql/index.js';
import { NEWEST, type Position } from '../platform/web/index.js';
import { listReservationsOf, toReservation } from '../reservations/index.js';
import { listPlacesOf } from '../waiting-room/index.js';
import { findBalance, listEntries, toEntry } from '../wallet/index.js';

/** Rows in memory at a time. */
const EXPORT_PAGE_ROWS = 500;

interface Section<Row> {
  readonly name: string;
  readonly read: (before: Position, limit: number) => Promise<readonly Row[]>;
  readonly toItem: (row: Row) => unknown;
  readonly positionOf: (row: Row) => Position;
}

/**
 * Everything stored about an account, as the text of one JSON document. It is produced page by page, so that a ledger with
 * a million entries neither fills the memory nor blocks other requests. Left out are responses stored for idempotency keys,
 * which repeat what is here, and what must stay secret even from a stolen access token: the password hash and the text of
 * mails, which has links that set a password.
 */
export async function* exportData(
  reader: Reader,
  id: string,
  currency: string,
  nowMs: number,
): AsyncGenerator<string> {
  const account = await reader.get(findAccount, [id]);
  if (!account) throw new Refusal('USER_NOT_FOUND');
  const wallet = await reader.get(findBalance, [id]);
  const head = {
    exportedAt: iso(nowMs),
    account: accountView(account),
    wallet: { balance: wallet?.balance ?? 0, currency },
  };
  yield JSON.stringify(head).slice(0, -1);
  yield* writeSection({
    name: 'walletEntries',
    read: ([before], limit) => reader.all(listEntries, [id, before, limit]),
    toItem: toEntry,
    positionOf: ({ position }) => [position, ''],
  });
  yield* writeSection({
    name: 'receipts',
    read: (before, limit) => reader.all(listPaymentsOf, [id, ...before, limit, null]),
    toItem: receiptOf,
    positionOf: (row) => [row.paidAtMs, row.id],
  });
  yield* writeSection({
    name: 'reservations',
    read: (before, limit) => reader.all(listReservationsOf, [id, ...before, limit, null]),
    toItem: (row) => toReservation(row, nowMs),
    positionOf: (row) => [row.createdAtMs, row.id],
  });
  yield* writeSection({
    name: 'places',
    read: (before, limit) => reader.all(listPlacesOf, [id, ...before, limit]),
    toItem: ({ joinedAtMs, activatedAtMs, endedAtMs, ...place }) => ({
      ...place,
      joinedAt: iso(joinedAtMs),
      activatedAt: isoOrNull(activatedAtMs),
      endedAt: isoOrNull(endedAtMs),
    }),
    positionOf: (row) => [row.joinedAtMs, row.id],
  });
  yield* writeSection({
    name: 'mails',
    read: (before, limit) => reader.all(listMailsTo, [account.email, ...before, limit]),
    toItem: ({ recipient: to, createdAtMs, expiresAtMs, ...mail }) => ({
      ...mail,
      to,
      createdAt: iso(createdAtMs),
      expiresAt: iso(expiresAtMs),
    }),
    positionOf: (row) => [row.createdAtMs, row.id],
  });
  yield* writeSection({
    name: 'auditEntries',
    read: (before, limit) => reader.all(listAuditEntriesOfActor, [id, ...before, limit]),
    toItem: toAuditEntry,
    positionOf: (row) => [row.createdAtMs, row.id],
  });
  yield '}\n';
}

const accountView = ({ createdAtMs, emailVerifiedAtMs, ...account }: AccountRow) => ({
  ...account,
  createdAt: iso(createdAtMs),
  emailVerified: emailVerifiedAtMs !== null,
  emailVerifiedAt: isoOrNull(emailVerifiedAtMs),
});

/** A member of the document whose value is a list, newest first. */
async function* writeSection<Row>({ name, read, toItem, positionOf }: Section<Row>): AsyncGenerator<string> {
  yield `,"${name}":[`;
  let position = NEWEST;
  for (let isFirst = true; ; isFirst = false) {
    const rows = await read(position, EXPORT_PAGE_ROWS);
    const items = rows.map((row) => JSON.stringify(toItem(row))).join(',');
    if (rows.length > 0) yield isFirst ? items : `,${items}`;
    const last = rows.at(-1);
    if (rows.length < EXPORT_PAGE_ROWS || last === undefined) break;
    position = positionOf(last);
  }
  yield ']';
}
