import type { Catalog, ConcertCache } from '../catalog/index.js';
import type { Caller } from '../kernel/caller.js';
import type { RefusalCode } from '../kernel/refusal.js';
import type { Sql } from '../platform/sql/index.js';
import type { Idempotently, Identify } from '../platform/web/index.js';
import type { Seating } from '../seating/index.js';
import type { WaitingRoom } from '../waiting-room/index.js';
import type { OperatorActions } from './actions.js';
import type { CountSeats } from './concerts/count-seats.js';
import type { Defaults } from './concerts/create-concert.js';
import type { Reports } from './report/reports.js';

/** What operator routes need. Each file of routes picks what it uses. */
export interface OperatorContext {
  readonly sql: Sql;
  readonly actions: OperatorActions;
  readonly catalog: Pick<Catalog, 'concertCache' | 'currencyOf'>;
  readonly concertCache: ConcertCache;
  readonly seating: Pick<Seating, 'counts' | 'mapRoutes'>;
  readonly waitingRoom: Pick<WaitingRoom, 'policyOf' | 'statsOf' | 'occupancyOf'>;
  readonly countSeats: CountSeats;
  readonly defaults: Defaults;
  readonly reports: Pick<Reports, 'read'>;
  readonly idempotently: Idempotently;
  readonly asOperator: (request: Parameters<Identify>[0]) => Promise<Caller>;
}

export const TAGS = { tags: ['Operator'] };

const COMMON_REFUSALS = ['ACCESS_DENIED', 'FORBIDDEN', 'USER_NOT_FOUND'] as const;

/** Route config: only operators may call it. `refuses` lists the refusals that other operator routes do not have. */
export const operatorOnly = (...refuses: readonly RefusalCode[]) =>
  ({ credential: 'operator', refuses: [...COMMON_REFUSALS, ...refuses] }) as const;
