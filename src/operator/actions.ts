import type { Static } from 'typebox';
import {
  type AddedConcert,
  type Concert,
  type ConcertEdit,
  copyConcert,
  editConcert,
} from '../catalog/index.js';
import { isoOrNull } from '../kernel/time.js';
import type { Refunded } from '../payments/index.js';
import type { Tx } from '../platform/sql/index.js';
import type { Policy, PolicyPatch, WaitingRoom } from '../waiting-room/index.js';
import { changesBetween, editableFields, recordAction, recordChanges } from './audit/audit.js';
import { createChangePolicy } from './concerts/change-policy.js';
import { createCreateConcert, timeOrNull, timeOrUndefined } from './concerts/create-concert.js';
import type { DuplicateSchema, NewConcertSchema } from './concerts/schemas.js';

/** Who makes the change: an operator's id, or null for the command line. */
type Actor = string | null;

/** Everything an operator can change. Each action writes its audit entry in the given transaction. */
export interface OperatorActions {
  create(tx: Tx, actorId: Actor, request: Static<typeof NewConcertSchema>): Promise<AddedConcert>;
  duplicate(
    tx: Tx,
    actorId: Actor,
    concertId: string,
    request: Static<typeof DuplicateSchema>,
  ): Promise<AddedConcert>;
  edit(tx: Tx, actorId: Actor, concertId: string, edit: ConcertEdit): Promise<Concert>;
  changePolicy(tx: Tx, actorId: Actor, concertId: string, patch: PolicyPatch): Promise<Policy>;
  refund(tx: Tx, actorId: Actor, paymentId: string): Promise<Refunded>;
}

const SHIFT_DAYS_DEFAULT = 7;

export function createOperatorActions(deps: {
  readonly currency: string;
  readonly waitingRoom: Pick<WaitingRoom, 'openQueue' | 'copyQueue' | 'changePolicy'>;
  readonly refund: (tx: Tx, paymentId: string) => Promise<Refunded>;
}): OperatorActions {
  const { waitingRoom, refund } = deps;
  const createConcert = createCreateConcert(deps);

  return {
    changePolicy: createChangePolicy(waitingRoom),

    async create(tx, actorId, request) {
      const added = await createConcert(tx, request);
      const { title, venue, salesOpenAt, salesCloseAt } = request;
      const details = changesBetween(
        {},
        {
          title,
          venue,
          salesOpenAt: isoOrNull(timeOrNull(salesOpenAt, 'salesOpenAt')),
          salesCloseAt: isoOrNull(timeOrNull(salesCloseAt, 'salesCloseAt')),
          ...sizeOf(added),
        },
      );
      await recordAction(tx, { concertId: added.id, actorId, action: 'CONCERT_CREATED', details });
      return added;
    },

    async duplicate(
      tx,
      actorId,
      concertId,
      { title, salesOpenAt, salesCloseAt, shiftDays = SHIFT_DAYS_DEFAULT },
    ) {
      const { before, after, added } = await copyConcert(tx, concertId, {
        shiftDays,
        title,
        salesOpenAtMs: timeOrUndefined(salesOpenAt, 'salesOpenAt'),
        salesCloseAtMs: timeOrUndefined(salesCloseAt, 'salesCloseAt'),
      });
      await waitingRoom.copyQueue(tx, concertId, added.id);
      const details = changesBetween(
        { concertId, ...editableFields(before) },
        { concertId: added.id, ...editableFields(after) },
      );
      await recordAction(tx, { concertId: added.id, actorId, action: 'CONCERT_DUPLICATED', details });
      return added;
    },

    async edit(tx, actorId, concertId, edit) {
      const { before, after } = await editConcert(tx, concertId, edit);
      const details = changesBetween(editableFields(before), editableFields(after));
      await recordChanges(tx, { concertId, actorId, action: 'CONCERT_EDITED', details });
      return after;
    },

    async refund(tx, actorId, paymentId) {
      const refunded = await refund(tx, paymentId);
      const { concertId, isNew } = refunded;
      const details = { paymentId, amount: refunded.refund.amount };
      if (isNew) await recordAction(tx, { concertId, actorId, action: 'PAYMENT_REFUNDED', details });
      return refunded;
    },
  };
}

const sizeOf = ({ schedules }: AddedConcert) => ({
  dates: schedules.length,
  seats: schedules.reduce((sum, { seatsTotal }) => sum + seatsTotal, 0),
});
