import { type Static, type TSchema, Type } from 'typebox';

export const Id = Type.String({ minLength: 1, maxLength: 64 });
/** ISO 8601 in UTC, up to milliseconds. `Date.parse` accepts more, so the pattern is the only validation. */
export const Timestamp = Type.String({
  pattern:
    '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,3})?Z$',
  description: 'ISO 8601 in UTC',
});
/** A type list instead of a union: the serializer need not try alternatives. */
export const Nullable = <T extends TSchema & { type: string }>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] });
/** An amount in the currency's minor unit; a number that a double cannot represent exactly is refused. */
export const Amount = Type.Integer({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
export const Count = Type.Integer({ minimum: 0 });
/** Text that pages show as it is: not blank, one line, no control characters, no half of a character. */
export const singleLine = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: '^(?=.*\\S)[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]+$' });
/** Plain text of several lines: not blank, no control characters except line feeds. */
export const multiLine = (maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^(?=\\s*\\S)[^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f\\p{Cs}]*$',
  });

const CLOSED = { additionalProperties: false } as const;
/** An object that refuses unknown members. */
export const closed = <T extends Parameters<typeof Type.Object>[0]>(members: T) =>
  Type.Object(members, CLOSED);

/** No body, or an empty object. */
export const NoBody = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  properties: {},
  additionalProperties: false,
});

export const IdParams = closed({ id: Id });
export const ConcertParams = closed({ concertId: Id });
