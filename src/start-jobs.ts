import type { Accounts } from './accounts/index.js';
import { purgeAudit } from './audit/index.js';
import type { Catalog } from './catalog/index.js';
import { purgeIdempotencyKeys } from './http/index.js';
import type { Retention } from './kernel/retention.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from './kernel/time.js';
import type { Mail } from './mail/index.js';
import { type History, purgeSamples, type Reports } from './operator/index.js';
import type { Jobs } from './platform/jobs/index.js';
import type { Sql } from './platform/sql/index.js';
import { createPurgeReservations } from './reservations/index.js';
import type { Seating } from './seating/index.js';
import type { WaitingRoom } from './waiting-room/index.js';

const ADMIT_WAITING_MS = 500;
const CLOSE_ENDED_SALES_MS = 500;
const CLOSE_SOLD_OUT_SALES_MS = 1000;
/** Short, because a process that is killed after a closing leaves its rows unmarked. */
const MARK_CLOSED_PLACES_MS = 2000;
const EXPIRE_HOLDS_MS = 1000;
const FLUSH_LAST_SEEN_MS = 500;
const REFRESH_POLICIES_MS = 1000;
const PUBLISH_POSITIONS_MS = 1000;
const PUBLISH_SEAT_CHANGES_MS = 250;
/** Short, so that a sample is taken right after its period ends. */
const SAMPLE_SALES_MS = 250;
const WRITE_REPORTS_MS = 10 * SECOND_MS;
const PURGE_REVOCATIONS_MS = HOUR_MS;
const SEND_MAIL_MS = 1000;

/** No answer depends on a job, except how soon a waiting fan is admitted. Streams send what a job has found or stored. */
export function startJobs(
  jobs: Jobs,
  sql: Sql,
  modules: {
    readonly accounts: Pick<Accounts, 'purgeRevocations' | 'purgeMailedTokens'>;
    readonly catalog: Pick<Catalog, 'purgeBuilds'>;
    readonly seating: Pick<Seating, 'streams'>;
    readonly waitingRoom: WaitingRoom;
    readonly reservations: { expireHolds(): Promise<void> };
    readonly history: History;
    readonly reports: Reports;
    readonly mail: Pick<Mail, 'sendDue' | 'expire' | 'purge'>;
  },
): void {
  const { accounts, catalog, seating, waitingRoom, reservations, history, reports, mail } = modules;
  jobs.everyOverlapping('admit-waiting', ADMIT_WAITING_MS, waitingRoom.maintenance.admitDue);
  jobs.everyOverlapping('close-ended-sales', CLOSE_ENDED_SALES_MS, waitingRoom.closing.closeDue);
  jobs.everyOverlapping('close-sold-out-sales', CLOSE_SOLD_OUT_SALES_MS, waitingRoom.closing.closeSoldOut);
  jobs.everyOverlapping('mark-closed-places', MARK_CLOSED_PLACES_MS, waitingRoom.markClosedPlaces);
  jobs.every('expire-holds', EXPIRE_HOLDS_MS, reservations.expireHolds);
  if (sql.isClustered)
    jobs.everyOverlapping('flush-last-seen', FLUSH_LAST_SEEN_MS, waitingRoom.flushLastSeen);
  // With SQLite, the command line changes policies in the database without publishing them.
  else jobs.every('refresh-policies', REFRESH_POLICIES_MS, waitingRoom.refreshPolicies);
  jobs.every('purge-change-feed', MINUTE_MS, () => sql.purgeChangeFeed());
  jobs.every('publish-positions', PUBLISH_POSITIONS_MS, waitingRoom.streams.flush);
  jobs.every('publish-seat-changes', PUBLISH_SEAT_CHANGES_MS, seating.streams.flush);
  jobs.every('purge-ended-places', MINUTE_MS, waitingRoom.maintenance.purgeEnded);
  jobs.every('purge-mailed-tokens', MINUTE_MS, accounts.purgeMailedTokens);
  jobs.every('purge-revocations', PURGE_REVOCATIONS_MS, () =>
    accounts.purgeRevocations(waitingRoom.findPlaceOwners),
  );
  jobs.every('sample-sales', SAMPLE_SALES_MS, history.sample);
  jobs.every('write-reports', WRITE_REPORTS_MS, reports.write);
  jobs.every('purge-builds', MINUTE_MS, catalog.purgeBuilds);
  if (mail.sendDue) jobs.every('send-mail', SEND_MAIL_MS, mail.sendDue);
  jobs.every('expire-mail', MINUTE_MS, mail.expire);
  jobs.every('purge-mail', MINUTE_MS, mail.purge);
}

/** Deletes what nothing needs any more, in batches. */
export function startPurges(jobs: Jobs, sql: Sql, retention: Retention): void {
  const purgeReservations = createPurgeReservations({ sql, retentionMs: retention.reservationsMs });
  jobs.every('purge-idempotency-keys', MINUTE_MS, () =>
    purgeIdempotencyKeys(sql, sql.nowMs() - retention.idempotencyKeysMs),
  );
  jobs.every('purge-samples', MINUTE_MS, () => purgeSamples(sql, retention.samplesMs));
  jobs.every('purge-audit', HOUR_MS, () => purgeAudit(sql, retention.auditMs));
  jobs.every('purge-reservations', HOUR_MS, purgeReservations);
}
