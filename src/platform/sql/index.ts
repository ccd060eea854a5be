export type { BatchStatement, Dialect, Reader, Sql, SqlParam, Statement, Tx } from './port.js';
export {
  batchStatement,
  OutcomeUnknown,
  RowCountMismatch,
  statement,
  StoreContention,
  StoreUnavailable,
  topic,
} from './port.js';
export { createReadUntilStable } from './read-until-stable.js';
export { type MigrationResult, type SchemaStatus, SchemaTooNew } from './migrate.js';
export { openSqlite } from './sqlite/store.js';
export { openPostgres } from './postgres/store.js';
export { migratePostgres, readPostgresSchema } from './postgres/migrations.js';
export { parsePostgresUrl, type PostgresAddress } from './postgres/url.js';
export { migrateSqlite, readSqliteSchema } from './sqlite/migrations.js';
export { DirectoryUnusable, takeDataDirectory } from './sqlite/data-directory.js';
export { backUpSqlite, openExistingSqlite, requireDatabase } from './sqlite/files.js';
export { type TransferCheck, transferToPostgres } from './transfer/transfer.js';
export { openTransferSource } from './transfer/source.js';
export { toPostgresUserError } from './postgres/user-errors.js';
