import { type TSchema, Type } from 'typebox';
import { Refusal } from '../../kernel/refusal.js';
import { closed, Nullable } from './schemas.js';

const PAGE_DEFAULT = 50;
const PAGE_MAX = 200;

/** Query strings are text and stay text: the pattern admits just what `Number` reads as a count. */
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

/** Where a page ended: a sort key and an id that breaks its ties. */
export type Position = readonly [key: number, id: string];

const encode = (position: Position): string => Buffer.from(JSON.stringify(position)).toString('base64url');

function pagePosition({ cursor }: PageRequest): Position | undefined {
  if (cursor === undefined) return undefined;
  const parsed = parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (Array.isArray(parsed) && parsed.length === 2) {
    const [key, id] = parsed as unknown[];
    if (typeof key === 'number' && Number.isSafeInteger(key) && typeof id === 'string') return [key, id];
  }
  throw new Refusal('INVALID_REQUEST', { field: 'cursor' });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Before everything: where a list that runs from newest to oldest begins. */
export const NEWEST: Position = [Number.MAX_SAFE_INTEGER, ''];

/**
 * A page of a list that runs from newest to oldest. `read` is asked for one row more than is shown: the one too many says
 * that there are more.
 */
export async function pageOfRows<Row, Item>(
  request: PageRequest,
  read: (before: Position, limit: number) => Promise<readonly Row[]>,
  toItem: (row: Row) => Item,
  positionOf: (row: Row) => Position,
): Promise<Page<Item>> {
  const limit = request.limit === undefined ? PAGE_DEFAULT : Math.min(Number(request.limit), PAGE_MAX);
  const rows = await read(pagePosition(request) ?? NEWEST, limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { items: shown.map(toItem), nextCursor: more ? encode(positionOf(last)) : null };
}

/**
 * A page of those that are shown of a list in memory, whose members stay where they are: a cursor is a place in the whole
 * list, so nobody is skipped because another is no longer shown. Without `limit` all is one page.
 */
export function pageOfArray<T, Item>(
  all: readonly T[],
  request: PageRequest,
  isShown: (each: T) => boolean,
  toItem: (each: T) => Item,
): Page<Item> {
  const [start] = pagePosition(request) ?? [0];
  const limit = request.limit === undefined ? Infinity : Number(request.limit);
  const items: Item[] = [];
  for (const [at, each] of all.entries()) {
    if (at < start || !isShown(each)) continue;
    if (items.length === limit) return { items, nextCursor: encode([at, '']) };
    items.push(toItem(each));
  }
  return { items, nextCursor: null };
}
