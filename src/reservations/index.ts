import type { Catalog } from '../catalog/index.js';
import type { Sql } from '../platform/sql/index.js';
import type { WaitingRoom } from '../waiting-room/index.js';
import { holdsExpired } from './changes.js';
import { createExpireHolds } from './expire-holds.js';
import type { HoldEvents } from './claim-seats.js';
import { createEnterSale, createHold } from './hold.js';
import { createHoldBest } from './hold-best.js';
import { release } from './release.js';
import { toReservation } from './reservation.js';
import { type ReservationRouteDeps, reservationRoutes } from './routes.js';
import { settlement } from './settle.js';

export type { ReservationRow } from './queries.js';
export { ReservationSchema, seatsOf, toReservation } from './reservation.js';
export type { Settlement } from './settle.js';

export function createReservations(deps: {
  readonly sql: Sql;
  readonly catalog: Pick<Catalog, 'programme' | 'boards'>;
  readonly waitingRoom: Pick<WaitingRoom, 'gate' | 'policyOf' | 'useUp' | 'streams'>;
  readonly onHeld: () => void;
  readonly onHoldsExpired: (count: number) => void;
}) {
  const { sql, waitingRoom } = deps;
  const { boards, programme } = deps.catalog;
  const events: HoldEvents = { held: deps.onHeld, expired: deps.onHoldsExpired };
  const enter = createEnterSale({ programme, gate: waitingRoom.gate });
  const hold = createHold({ enter, boards, waitingRoom, events });
  const holdBest = createHoldBest({ enter, hold, boards, waitingRoom });
  sql.subscribe(holdsExpired, (rows) => {
    for (const row of rows) {
      waitingRoom.streams.tellHoldExpired(row.userId, row.concertId, toReservation(row, sql.nowMs()));
    }
  });

  return {
    settlement,
    expireHolds: createExpireHolds({ sql, events }),
    routes: (routeDeps: Pick<ReservationRouteDeps, 'identify' | 'once' | 'requireUser' | 'limitHold'>) =>
      reservationRoutes({ sql, hold, holdBest, release, ...routeDeps }),
  };
}
