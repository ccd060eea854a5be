import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** What comes from a file, a process or a server is looked at once, here, and trusted from then on. */
export function parse<Schema extends TSchema>(schema: Schema, value: unknown, what: string): Static<Schema> {
  if (Value.Check(schema, value)) return value;
  const [first] = Value.Errors(schema, value);
  throw new Error(`${what} is not what it should be: ${first?.instancePath ?? ''} ${first?.message ?? ''}`);
}
