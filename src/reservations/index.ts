import type { Catalog } from '../catalog/index.js';
import type { Sql } from '../platform/sql/index.js';
import type { WaitingRoom } from '../waiting-room/index.js';
import { holdsExpired } from './topics.js';
import { createExpireHolds } from './expire-holds.js';
import type { HoldEvents } from './claim-seats.js';
import { createEnterSale, createHold } from './hold-seats.js';
import { createHoldBest } from './hold-best-seats.js';
import { release } from './release-hold.js';
import { toReservation } from './reservation.js';
import { type ReservationRouteDeps, reservationRoutes } from './routes.js';
import { payableReservations } from './payable-reservations.js';

export type { ReservationRow } from './queries.js';
export { ReservationSchema, seatsOf, toReservation } from './reservation.js';
export type { PayableReservations } from './payable-reservations.js';

export function createReservations(deps: {
  readonly sql: Sql;
  readonly catalog: Pick<Catalog, 'concertCache' | 'inventories'>;
  readonly waitingRoom: Pick<WaitingRoom, 'gate' | 'policyOf' | 'consumePlace' | 'streams'>;
  readonly onHeld: () => void;
  readonly onHoldsExpired: (count: number) => void;
}) {
  const { sql, waitingRoom } = deps;
  const { inventories, concertCache } = deps.catalog;
  const events: HoldEvents = { held: deps.onHeld, expired: deps.onHoldsExpired };
  const enter = createEnterSale({ concertCache, gate: waitingRoom.gate });
  const hold = createHold({ enter, inventories, waitingRoom, events });
  const holdBest = createHoldBest({ enter, hold, inventories, waitingRoom });
  sql.subscribe(holdsExpired, (rows) => {
    for (const row of rows) {
      waitingRoom.streams.sendHoldExpired(row.userId, row.concertId, toReservation(row, sql.nowMs()));
    }
  });

  return {
    payableReservations,
    expireHolds: createExpireHolds({ sql, events }),
    routes: (
      routeDeps: Pick<ReservationRouteDeps, 'identify' | 'idempotently' | 'requireUser' | 'limitHold'>,
    ) => reservationRoutes({ sql, hold, holdBest, release, ...routeDeps }),
  };
}
