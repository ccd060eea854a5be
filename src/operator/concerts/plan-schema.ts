import { Type } from 'typebox';
import { PRICE_MAX } from '../../kernel/money.js';

/** One line of visible text without control characters. Pages show it unchanged. */
export const singleLine = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f]*\\S.*$' });

export const Price = Type.Integer({ minimum: 0, maximum: PRICE_MAX });

const Coordinate = Type.Number({ minimum: -1_000_000, maximum: 1_000_000 });
const Point = Type.Object({ x: Coordinate, y: Coordinate });

/**
 * The common seating-plan format, as plan editors export it. Unknown members are allowed and ignored: editors export
 * colours, shapes and texts that Foyer does not use.
 */
export const PlanSchema = Type.Object({
  categories: Type.Array(Type.Object({ name: singleLine(50) }), { minItems: 1, maxItems: 100 }),
  zones: Type.Array(
    Type.Object({
      name: singleLine(50),
      position: Type.Optional(Point),
      rows: Type.Array(
        Type.Object({
          row_number: singleLine(20),
          position: Type.Optional(Point),
          seats: Type.Array(
            Type.Object({
              seat_number: singleLine(20),
              seat_guid: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
              position: Point,
              category: singleLine(50),
            }),
            { maxItems: 2000 },
          ),
        }),
        { maxItems: 2000 },
      ),
    }),
    { minItems: 1, maxItems: 500 },
  ),
});

export const PricesSchema = Type.Record(Type.String(), Price, {
  description: 'What a seat of each category costs',
});
