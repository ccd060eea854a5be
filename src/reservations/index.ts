import type { Catalog } from '../catalog/index.js';
import type { Sql } from '../platform/sql/index.js';
import type { WaitingRoom } from '../waiting-room/index.js';
import { createExpireHolds } from './expire-holds.js';
import type { HoldEvents } from './claim-seats.js';
import { createHold } from './hold.js';
import { createRelease } from './release.js';
import { toReservation } from './reservation.js';
import { type ReservationRouteDeps, reservationRoutes } from './routes.js';
import { createSettlement } from './settle.js';

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
  const events: HoldEvents = {
    held: deps.onHeld,
    expired(rows) {
      deps.onHoldsExpired(rows.length);
      for (const row of rows) {
        waitingRoom.streams.tellHoldExpired(row.userId, row.concertId, toReservation(row, sql.nowMs()));
      }
    },
  };
  const hold = createHold({ programme, boards, waitingRoom, events });
  const release = createRelease({ boards });

  return {
    settlement: createSettlement({ boards }),
    expireHolds: createExpireHolds({ sql, boards, events }),
    routes: (routeDeps: Pick<ReservationRouteDeps, 'identify' | 'once' | 'requireUser' | 'limitHold'>) =>
      reservationRoutes({ sql, hold, release, ...routeDeps }),
  };
}
