import type { SentRequest } from './client-log.js';
import type { Operation } from './requests.js';

/** Randomly generated ids, tokens and receipt numbers. */
const GENERATED =
  /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|eyJ[\w-]+\.[\w-]+\.[\w-]+|\b\d{8}-[0-9A-Z]{10}\b/g;

/** A readable log of a history. Generated values are replaced by #1, #2, …, so that a seed always gives the same trace. */
export class Trace {
  /** Formatted on demand: only the traces of failed histories are read. */
  readonly #notes: (() => string)[] = [];

  note(format: () => string): void {
    this.#notes.push(format);
  }

  lines(): string[] {
    const names = new Map<string, string>();
    return this.#notes.map((format) =>
      format().replace(GENERATED, (value) => {
        const name = names.get(value) ?? `#${names.size + 1}`;
        names.set(value, name);
        return name;
      }),
    );
  }
}

export function describeRequest({ request, response }: SentRequest): string {
  const { userId, placeId, key, operation } = request;
  const through = placeId === null ? '' : ' by queue token';
  const sent = `${userId}${through}${key === null ? '' : ` [${key}]`} ${describeOperation(operation)}`;
  return response ? `${sent}: ${response.status} ${textOf(response.body)}` : `${sent}: no response`;
}

function describeOperation(operation: Operation): string {
  const { kind } = operation;
  if ('place' in operation) return `${kind} place ${operation.place.number}`;
  if ('reservation' in operation) return `${kind} ${operation.reservation.id}`;
  if ('payment' in operation) return `${kind} ${operation.payment.id}`;
  const { kind: _, ...rest } = operation;
  return `${kind} ${textOf(rest)}`;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));
