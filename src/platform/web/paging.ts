import { type TSchema, Type } from 'typebox';
import { parseJson } from '../../kernel/json.js';
import { Refusal } from '../../kernel/refusal.js';
import { closed, Nullable } from './schemas.js';

const PAGE_DEFAULT = 50;
const PAGE_MAX = 200;

/** From 1 to `PAGE_MAX`: query parameters stay text, so a pattern says what a number is. */
const LIMIT_PATTERN = '^([1-9]\\d?|1\\d\\d|200)$';

export const pageQuery = {
  limit: Type.Optional(Type.String({ pattern: LIMIT_PATTERN, description: `1 to ${PAGE_MAX}` })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: '^[A-Za-z0-9_-]+$' })),
};
export const PageQuery = closed(pageQuery);

export const listOf = <T extends TSchema>(item: T) =>
  closed({ items: Type.Array(item), nextCursor: Nullable(Type.String()) });

export interface Page<T> {
  readonly items: T[];
  readonly nextCursor: string | null;
}

export interface PageRequest {
  readonly limit?: string | undefined;
  readonly cursor?: string | undefined;
}

/** Where a page ended: a sort key, and an id as a tie-breaker. */
export type Position = readonly [key: number, id: string];

const encodeCursor = (position: Position): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** Ids as Foyer makes them. A database could refuse other text, such as U+0000, with an error. */
const ID = /^[A-Za-z0-9-]{0,64}$/;

function decodeCursor({ cursor }: PageRequest): Position | undefined {
  if (cursor === undefined) return undefined;
  const parsed = parseJson(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (Array.isArray(parsed) && parsed.length === 2) {
    const [key, id] = parsed as unknown[];
    const isKey = typeof key === 'number' && Number.isSafeInteger(key);
    if (isKey && typeof id === 'string' && ID.test(id)) return [key, id];
  }
  throw new Refusal('INVALID_REQUEST', { field: 'cursor' });
}

/** The position before the first item of a list from newest to oldest. */
export const NEWEST: Position = [Number.MAX_SAFE_INTEGER, ''];

/** Rows of a page, and where the next page starts: null after the last row. */
export interface RowPage<Row> {
  readonly rows: readonly Row[];
  readonly next: Position | null;
}

/** Expects one row more than the page has, if there is one: it tells that there is a next page. */
export function firstRows<Row>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => Position,
): RowPage<Row> {
  const last = rows[limit - 1];
  const next = rows.length > limit && last !== undefined ? positionOf(last) : null;
  return { rows: rows.slice(0, limit), next };
}

/** A page of a list from newest to oldest. `read` decides where the next page starts. */
export async function pageOfScan<Row, Item>(
  request: PageRequest,
  read: (before: Position, limit: number) => Promise<RowPage<Row>>,
  toItem: (row: Row) => Item,
): Promise<Page<Item>> {
  const limit = request.limit === undefined ? PAGE_DEFAULT : Number(request.limit);
  const { rows, next } = await read(decodeCursor(request) ?? NEWEST, limit);
  return { items: rows.map(toItem), nextCursor: next && encodeCursor(next) };
}

/** A page of a list from newest to oldest whose rows all belong to it. */
export async function pageOfRows<Row, Item>(
  request: PageRequest,
  read: (before: Position, limit: number) => Promise<readonly Row[]>,
  toItem: (row: Row) => Item,
  positionOf: (row: Row) => Position,
): Promise<Page<Item>> {
  return pageOfScan(
    request,
    async (before, limit) => firstRows(await read(before, limit + 1), limit, positionOf),
    toItem,
  );
}

/** The cursor of a list in memory: where the next page starts. */
export const indexCursor = (index: number): string => encodeCursor([index, '']);

export const startIndexOf = (request: PageRequest): number => Math.max(0, decodeCursor(request)?.[0] ?? 0);

/**
 * A page of the included elements of a list in memory whose elements keep their indexes. The cursor is an index into
 * the whole list, so no element is skipped when another one is no longer included, and no page reads the elements of
 * the pages before it.
 */
export function pageOfArray<T, Item>(
  all: readonly T[],
  request: PageRequest,
  isIncluded: (element: T) => boolean,
  toItem: (element: T) => Item,
  /** The page size without `limit`. */
  pageDefault = Infinity,
): Page<Item> {
  const limit = request.limit === undefined ? pageDefault : Number(request.limit);
  const items: Item[] = [];
  for (let index = startIndexOf(request); index < all.length; index += 1) {
    const element = all[index];
    if (element === undefined || !isIncluded(element)) continue;
    if (items.length === limit) return { items, nextCursor: indexCursor(index) };
    items.push(toItem(element));
  }
  return { items, nextCursor: null };
}
