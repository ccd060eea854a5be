import { type Static, Type } from 'typebox';
import { PRICE_MAX } from '../../kernel/money.js';
import { closed, singleLine } from '../../platform/web/index.js';

const Price = Type.Integer({ minimum: 0, maximum: PRICE_MAX });

const Coordinate = Type.Number({ minimum: -1_000_000, maximum: 1_000_000 });
const PointSchema = Type.Object({ x: Coordinate, y: Coordinate });
export type Point = Static<typeof PointSchema>;

/**
 * The common seating-plan format, as plan editors export it: zones contain rows, rows contain seats, and positions are
 * relative to the container. Unknown members are allowed and ignored: editors add colours, shapes and texts.
 */
export const PlanSchema = Type.Object({
  categories: Type.Array(Type.Object({ name: singleLine(50) }), { minItems: 1, maxItems: 100 }),
  zones: Type.Array(
    Type.Object({
      name: singleLine(50),
      position: Type.Optional(PointSchema),
      rows: Type.Array(
        Type.Object({
          row_number: singleLine(20),
          position: Type.Optional(PointSchema),
          seats: Type.Array(
            Type.Object({
              seat_number: singleLine(20),
              seat_guid: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
              position: PointSchema,
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

/** A section that Foyer arranges itself. */
export const SectionSchema = closed({
  name: singleLine(50),
  rows: Type.Integer({ minimum: 1, maximum: 500 }),
  seatsPerRow: Type.Integer({ minimum: 1, maximum: 500 }),
  grade: singleLine(50),
  price: Price,
});
