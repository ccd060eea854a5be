import type { Static } from 'typebox';
import { changesBetween, recordAudit, recordChanges } from '../audit/index.js';
import {
  type AddedConcert,
  changePoster,
  type Concert,
  type ConcertBuild,
  type ConcertChange,
  type ConcertEdit,
  editConcert,
  type NewPoster,
  planCopy,
  publishConcert,
  saleClosesAtMs,
} from '../catalog/index.js';
import { FaultList } from '../kernel/fault-list.js';
import { guard } from '../kernel/guard.js';
import { iso } from '../kernel/time.js';
import type { Refunded } from '../payments/index.js';
import type { Reader, Tx } from '../platform/sql/index.js';
import { endHoldsWithSale } from '../reservations/index.js';
import type { Policy, PolicyPatch, WaitingRoom } from '../waiting-room/index.js';
import { editableFields } from './audit/editable-fields.js';
import { createChangePolicy } from './concerts/change-policy.js';
import { createPlanNewConcert, parseOptionalTime } from './concerts/create-concert.js';
import type { DuplicateSchema, NewConcertSchema } from './concerts/schemas.js';

/** Who makes the change: an operator's id, or null for the command line. */
type Actor = string | null;

/**
 * Everything an operator can change. Each action writes its audit entry in the given transaction; a new concert writes it
 * in the transaction that completes it.
 */
export interface OperatorActions {
  create(actorId: Actor, request: Static<typeof NewConcertSchema>): ConcertBuild;
  duplicate(
    reader: Reader,
    actorId: Actor,
    concertId: string,
    request: Static<typeof DuplicateSchema>,
  ): Promise<ConcertBuild>;
  publish(tx: Tx, actorId: Actor, concertId: string): Promise<Concert>;
  edit(tx: Tx, actorId: Actor, concertId: string, edit: ConcertEdit): Promise<Concert>;
  /** Null removes it. */
  changePoster(tx: Tx, actorId: Actor, concertId: string, poster: NewPoster | null): Promise<Concert>;
  changePolicy(tx: Tx, actorId: Actor, concertId: string, patch: PolicyPatch): Promise<Policy>;
  refund(tx: Tx, actorId: Actor, paymentId: string): Promise<Refunded>;
}

const SHIFT_DAYS_DEFAULT = 7;

export function createOperatorActions(deps: {
  readonly currency: string;
  readonly timeZone: string;
  readonly waitingRoom: Pick<WaitingRoom, 'openQueue' | 'copyQueue' | 'changePolicy' | 'closing'>;
  readonly refund: (tx: Tx, paymentId: string) => Promise<Refunded>;
}): OperatorActions {
  const { waitingRoom, refund } = deps;
  const planNewConcert = createPlanNewConcert(deps);

  /**
   * If the sale has closed already, those who waited stay ended: close the queue before the sale is reopened.
   * Unpaid holds end with the sale. The edit has locked the concert, so that no hold is in flight.
   */
  async function moveClosing(tx: Tx, concertId: string, edit: ConcertEdit): Promise<ConcertChange> {
    await guard('reopening-keeps-closed', waitingRoom.closing.closeInTx)(tx, concertId);
    const change = await editConcert(tx, concertId, edit);
    const { salesCloseAtMs } = edit;
    if (typeof salesCloseAtMs === 'number') await endHoldsWithSale(tx, concertId, salesCloseAtMs);
    await waitingRoom.closing.moveClosing(tx, concertId, saleClosesAtMs(change.after));
    return change;
  }

  return {
    changePolicy: createChangePolicy(waitingRoom),

    create(actorId, request) {
      const build = planNewConcert(request);
      const { id, closesAtMs } = build.added;
      const { title, venue, salesOpenAt, salesCloseAt } = request;
      const details = changesBetween(
        {},
        {
          title,
          venue,
          salesOpenAt: toIso(salesOpenAt),
          salesCloseAt: toIso(salesCloseAt),
          ...sizeOf(build.added),
        },
      );
      return completedWith(build, async (tx) => {
        await waitingRoom.openQueue(tx, id, closesAtMs, request.waitingRoom ?? {});
        await recordAudit(tx, { concertId: id, actorId, action: 'CONCERT_CREATED', details });
      });
    },

    async duplicate(reader, actorId, concertId, request) {
      const faults = new FaultList();
      const salesOpenAtMs = parseOptionalTime(request.salesOpenAt, '/salesOpenAt', faults);
      const salesCloseAtMs = parseOptionalTime(request.salesCloseAt, '/salesCloseAt', faults);
      faults.requireNone();
      const { before, after, build } = await planCopy(reader, concertId, {
        shiftDays: request.shiftDays ?? SHIFT_DAYS_DEFAULT,
        title: request.title,
        draft: request.draft,
        salesOpenAtMs,
        salesCloseAtMs,
      });
      const { id, closesAtMs } = build.added;
      const details = changesBetween(
        { concertId, ...editableFields(before) },
        { concertId: id, ...editableFields(after) },
      );
      return completedWith(build, async (tx) => {
        await waitingRoom.copyQueue(tx, concertId, id, closesAtMs);
        await recordAudit(tx, { concertId: id, actorId, action: 'CONCERT_DUPLICATED', details });
      });
    },

    async publish(tx, actorId, concertId) {
      const { concert, isNew } = await publishConcert(tx, concertId);
      if (isNew) await recordAudit(tx, { concertId, actorId, action: 'CONCERT_PUBLISHED', details: {} });
      return concert;
    },

    edit: async (tx, actorId, concertId, edit) =>
      recordEdit(
        tx,
        actorId,
        await (edit.salesCloseAtMs === undefined
          ? editConcert(tx, concertId, edit)
          : moveClosing(tx, concertId, edit)),
      ),

    changePoster: async (tx, actorId, concertId, poster) =>
      recordEdit(tx, actorId, await changePoster(tx, concertId, poster)),

    async refund(tx, actorId, paymentId) {
      const refunded = await refund(tx, paymentId);
      const { concertId, isNew } = refunded;
      const details = { paymentId, amount: refunded.refund.amount };
      if (isNew) await recordAudit(tx, { concertId, actorId, action: 'PAYMENT_REFUNDED', details });
      return refunded;
    },
  };
}

/** A time of a request that has been checked, to the millisecond. */
const toIso = (text: string | null | undefined): string | null =>
  typeof text === 'string' ? iso(Date.parse(text)) : null;

/** Returns the concert after the edit. */
async function recordEdit(tx: Tx, actorId: Actor, { before, after }: ConcertChange): Promise<Concert> {
  const details = changesBetween(editableFields(before), editableFields(after));
  await recordChanges(tx, { concertId: after.id, actorId, action: 'CONCERT_EDITED', details });
  return after;
}

/** In the same transaction, once the concert is complete. */
const completedWith = (build: ConcertBuild, work: (tx: Tx) => Promise<void>): ConcertBuild => ({
  ...build,
  async complete(tx) {
    await build.complete(tx);
    await work(tx);
  },
});

const sizeOf = ({ schedules }: AddedConcert) => ({
  dates: schedules.length,
  seats: schedules.reduce((sum, { seatsTotal }) => sum + seatsTotal, 0),
});
