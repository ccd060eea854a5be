import { Type } from 'typebox';
import { Amount, closed, Count, Id } from '../platform/web/index.js';

export const SeatStatusSchema = Type.Union([
  Type.Literal('AVAILABLE'),
  Type.Literal('HELD'),
  Type.Literal('SOLD'),
]);

export const SeatSchema = closed({
  id: Id,
  section: Type.String(),
  row: Type.String(),
  number: Count,
  label: Type.String(),
  grade: Type.String(),
  price: Amount,
  status: SeatStatusSchema,
});

export const GradeSchema = closed({ grade: Type.String(), price: Amount });

/** The unit is the distance between neighbouring seats. */
const box = { x: Type.Number(), y: Type.Number(), width: Type.Number(), height: Type.Number() };

export const ChartSchema = closed({
  scheduleId: Id,
  currency: Type.String(),
  size: closed({ width: Type.Number(), height: Type.Number() }),
  stage: closed(box),
  grades: Type.Array(GradeSchema, { description: 'One for every price of a grade, the dearest first' }),
  sections: Type.Array(closed({ name: Type.String(), ...box })),
  rows: Type.Array(closed({ section: Count, name: Type.String() })),
  seats: Type.Object(
    {
      id: Type.Array(Id),
      row: Type.Array(Count),
      number: Type.Array(Type.String()),
      label: Type.Array(Type.String()),
      grade: Type.Array(Count),
      x: Type.Array(Type.Number()),
      y: Type.Array(Type.Number()),
    },
    {
      additionalProperties: false,
      description: 'One list a member, all in chart order; `row` and `grade` are places in the lists above',
    },
  ),
});

export const SeatStateSchema = closed({
  scheduleId: Id,
  version: Type.Integer({ description: 'Another one whenever something has changed' }),
  seats: Type.String({
    description:
      'Base64 of 2 bits a seat in chart order, 4 seats to a byte, the first in the lowest bits: 0 AVAILABLE, 1 HELD, 2 SOLD',
  }),
});
