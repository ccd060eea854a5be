import { type Static, type TSchema, Type } from 'typebox';

export const Id = Type.String({ minLength: 1, maxLength: 64 });
/** ISO 8601 in UTC, to the millisecond. The pattern is the border: `Date.parse` is never given anything looser. */
export const Timestamp = Type.String({
  pattern:
    '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,3})?Z$',
  description: 'ISO 8601 in UTC',
});
/** Said as a type list, not as a union: the serializer need not try alternatives. */
export const Nullable = <T extends TSchema & { type: string }>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] });
/** An amount in the currency's minor unit; larger than any double can hold exactly is refused at the border. */
export const Amount = Type.Integer({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
export const Count = Type.Integer({ minimum: 0 });
/** Text that pages show as it is: not blank, one line, no control characters. */
export const singleLine = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f]*\\S.*$' });

const CLOSED = { additionalProperties: false } as const;
/** An object that refuses members it does not know. */
export const closed = <T extends Parameters<typeof Type.Object>[0]>(members: T) =>
  Type.Object(members, CLOSED);

/** Nothing to say: no body, or an empty one. */
export const NoBody = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  properties: {},
  additionalProperties: false,
});

export const IdParams = closed({ id: Id });
export const ConcertParams = closed({ concertId: Id });
