import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** Checks data from a file, process or server against its schema at the boundary. */
export function parse<Schema extends TSchema>(schema: Schema, value: unknown, what: string): Static<Schema> {
  if (Value.Check(schema, value)) return value;
  const [first] = Value.Errors(schema, value);
  throw new Error(`${what} does not match its schema: ${first?.instancePath ?? ''} ${first?.message ?? ''}`);
}
