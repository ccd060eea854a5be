import { type TSchema, Type } from 'typebox';
import { parseJson } from '../../kernel/json.js';
import { Refusal } from '../../kernel/refusal.js';
import { closed, Nullable } from './schemas.js';

const PAGE_DEFAULT = 50;
const PAGE_MAX = 200;

/** Query parameters stay text; the pattern allows only what `Number` reads as a positive integer. */
export const pageQuery = {
  limit: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,4}$', description: `1 to ${PAGE_MAX}` })),
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

function decodeCursor({ cursor }: PageRequest): Position | undefined {
  if (cursor === undefined) return undefined;
  const parsed = parseJson(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (Array.isArray(parsed) && parsed.length === 2) {
    const [key, id] = parsed as unknown[];
    if (typeof key === 'number' && Number.isSafeInteger(key) && typeof id === 'string') return [key, id];
  }
  throw new Refusal('INVALID_REQUEST', { field: 'cursor' });
}

/** The position before the first item of a list from newest to oldest. */
export const NEWEST: Position = [Number.MAX_SAFE_INTEGER, ''];

/** A page of a list from newest to oldest. Reads one row more than it returns, to know whether there is a next page. */
export async function pageOfRows<Row, Item>(
  request: PageRequest,
  read: (before: Position, limit: number) => Promise<readonly Row[]>,
  toItem: (row: Row) => Item,
  positionOf: (row: Row) => Position,
): Promise<Page<Item>> {
  const limit = request.limit === undefined ? PAGE_DEFAULT : Math.min(Number(request.limit), PAGE_MAX);
  const rows = await read(decodeCursor(request) ?? NEWEST, limit + 1);
  const pageRows = rows.slice(0, limit);
  const last = pageRows.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { items: pageRows.map(toItem), nextCursor: hasMore ? encodeCursor(positionOf(last)) : null };
}

/**
 * A page of the included elements of a list in memory whose elements keep their indexes. The cursor is an index into
 * the whole list, so no element is skipped when another one is no longer included. Without `limit`, everything is one
 * page.
 */
export function pageOfArray<T, Item>(
  all: readonly T[],
  request: PageRequest,
  isIncluded: (element: T) => boolean,
  toItem: (element: T) => Item,
): Page<Item> {
  const [start] = decodeCursor(request) ?? [0];
  const limit = request.limit === undefined ? Infinity : Number(request.limit);
  const items: Item[] = [];
  for (const [index, element] of all.entries()) {
    if (index < start || !isIncluded(element)) continue;
    if (items.length === limit) return { items, nextCursor: encodeCursor([index, '']) };
    items.push(toItem(element));
  }
  return { items, nextCursor: null };
}
