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
import { changesBetween, editable, record, recordChanges } from './audit.js';
import { createChangePolicy } from './change-policy.js';
import { createCreateConcert, timeOrNull } from './create-concert.js';
import type { DuplicateSchema, NewConcertSchema } from './schemas.js';

/** Who does it: an operator's id, or null for the command line. */
type Actor = string | null;

/** Whatever a promoter changes, each in one transaction with the entry that says who did. */
export interface Desk {
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

/** A copy is a week later, unless told otherwise. */
const SHIFT_DAYS = 7;

export function createDesk(deps: {
  readonly currency: string;
  readonly waitingRoom: Pick<WaitingRoom, 'openQueue' | 'copyQueue' | 'changePolicy'>;
  readonly refund: (tx: Tx, paymentId: string) => Promise<Refunded>;
}): Desk {
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
      await record(tx, { concertId: added.id, actorId, action: 'CONCERT_CREATED', details });
      return added;
    },

    async duplicate(tx, actorId, concertId, { title, salesOpenAt, salesCloseAt, shiftDays = SHIFT_DAYS }) {
      const { before, after, added } = await copyConcert(tx, concertId, {
        shiftDays,
        title,
        salesOpenAtMs: salesOpenAt === undefined ? undefined : timeOrNull(salesOpenAt, 'salesOpenAt'),
        salesCloseAtMs: salesCloseAt === undefined ? undefined : timeOrNull(salesCloseAt, 'salesCloseAt'),
      });
      await waitingRoom.copyQueue(tx, concertId, added.id);
      const details = changesBetween(
        { concertId, ...editable(before) },
        { concertId: added.id, ...editable(after) },
      );
      await record(tx, { concertId: added.id, actorId, action: 'CONCERT_DUPLICATED', details });
      return added;
    },

    async edit(tx, actorId, concertId, edit) {
      const { before, after } = await editConcert(tx, concertId, edit);
      const details = changesBetween(editable(before), editable(after));
      await recordChanges(tx, { concertId, actorId, action: 'CONCERT_EDITED', details });
      return after;
    },

    async refund(tx, actorId, paymentId) {
      const refunded = await refund(tx, paymentId);
      const { concertId, isNew } = refunded;
      const details = { paymentId, amount: refunded.refund.amount };
      if (isNew) await record(tx, { concertId, actorId, action: 'PAYMENT_REFUNDED', details });
      return refunded;
    },
  };
}

const sizeOf = ({ schedules }: AddedConcert) => ({
  dates: schedules.length,
  seats: schedules.reduce((sum, { seatsTotal }) => sum + seatsTotal, 0),
});
