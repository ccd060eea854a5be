/**
 * The audit module: who did what, and when. It records changes by operators and the command line, sign-ins of operators,
 * searches and exports of personal data. Entries are only added, and deleted when their retention has passed.
 *
 * Invariant: an entry is written in the transaction of its action, or before the data of a search or an export is read, so
 * no recorded kind of action happens without its entry. It must never store a password or a token.
 */
export { AuditEntrySchema, toAuditEntry } from './audit-entry-view.js';
export {
  type AuditRow,
  listAuditEntries,
  listAuditEntriesOfActor,
  listAuditEntriesOfConcert,
} from './queries.js';
export { purgeAudit } from './purge-audit.js';
export {
  type AuditDetails,
  changesBetween,
  recordAudit,
  recordChanges,
  recordFailedSignIn,
} from './record-audit.js';
