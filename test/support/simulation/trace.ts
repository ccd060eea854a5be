import type { Asked } from './books.js';
import type { Wish } from './requests.js';

/** Whatever is drawn by lot: ids, tokens and receipt numbers. */
const DRAWN =
  /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|eyJ[\w-]+\.[\w-]+\.[\w-]+|\b\d{8}-[0-9A-Z]{10}\b/g;

/** A history in lines that a person can read, the same for the same seed: what is drawn by lot is named in order. */
export class Trace {
  /** Put into words when somebody wants to read them: most histories nobody does. */
  readonly #notes: (() => string)[] = [];

  note(say: () => string): void {
    this.#notes.push(say);
  }

  lines(): string[] {
    const names = new Map<string, string>();
    return this.#notes.map((say) =>
      say().replace(DRAWN, (drawn) => {
        const name = names.get(drawn) ?? `#${names.size + 1}`;
        names.set(drawn, name);
        return name;
      }),
    );
  }
}

/** What somebody asked for, and what it came to. */
export function describeAsked({ request, answer }: Asked): string {
  const { userId, placeId, key, wish } = request;
  const through = placeId === null ? '' : ' by queue token';
  const sent = `${userId}${through}${key === null ? '' : ` [${key}]`} ${describeWish(wish)}`;
  return answer ? `${sent}: ${answer.status} ${wordsOf(answer.body)}` : `${sent}: no answer`;
}

function describeWish(wish: Wish): string {
  const { kind } = wish;
  if ('place' in wish) return `${kind} number ${wish.place.number}`;
  if ('reservation' in wish) return `${kind} ${wish.reservation.id}`;
  if ('payment' in wish) return `${kind} ${wish.payment.id}`;
  const { kind: _, ...rest } = wish;
  return `${kind} ${wordsOf(rest)}`;
}

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));
