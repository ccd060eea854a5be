import { Type } from 'typebox';
import { ReceiptSchema } from '../../payments/index.js';
import { Amount, closed, Id, Nullable, pageQuery } from '../../platform/web/index.js';
import { ReservationSchema } from '../../reservations/index.js';

const filters = {
  ...pageQuery,
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^[^\\u0000-\\u001f\\u007f]*$',
      description: 'Part of an e-mail address, a name, a seat or a receipt number',
    }),
  ),
  scheduleId: Type.Optional(Id),
};

export const ReservationQuery = closed({
  ...filters,
  status: Type.Optional(ReservationSchema.properties.status),
});

export const PaymentQuery = closed({
  ...filters,
  status: Type.Optional(Type.Unsafe<'PAID' | 'REFUNDED'>({ type: 'string', enum: ['PAID', 'REFUNDED'] })),
});

const BuyerSchema = closed({ id: Id, email: Type.String(), name: Type.String() });
export const SoldReservationSchema = closed({ ...ReservationSchema.properties, user: BuyerSchema });
export const SoldPaymentSchema = closed({ ...ReceiptSchema.properties, user: BuyerSchema });

export const SeatParams = closed({ id: Id, seatId: Id });

export const SeatOwnerSchema = closed({
  id: Id,
  label: Type.String(),
  grade: Type.String(),
  price: Amount,
  status: Type.Unsafe<'AVAILABLE' | 'HELD' | 'SOLD'>({
    type: 'string',
    enum: ['AVAILABLE', 'HELD', 'SOLD'],
  }),
  reservation: Nullable(SoldReservationSchema),
  payment: Nullable(SoldPaymentSchema),
});
