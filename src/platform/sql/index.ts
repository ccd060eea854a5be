export type { Reader, Sql, SqlParam, Statement, Topic, Tx } from './port.js';
export { OutcomeUnknown, statement, StoreUnavailable, topic } from './port.js';
export { SchemaTooNew } from './migrate.js';
export { openSqlite } from './sqlite.js';
export { migrateSqlite } from './sqlite-migrations.js';
export { DirectoryUnusable, takeDataDirectory } from './data-directory.js';
export { backUpSqlite, openExistingSqlite } from './sqlite-files.js';
