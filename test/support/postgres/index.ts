export { findBinaries } from './binaries.js';
export { startPgBouncer } from './pgbouncer.js';
export { psql } from './psql.js';
export { type PostgresServer, startPostgres } from './server.js';
export { createTestDatabase } from './shared.js';
export { type StandbyServer, startStandby } from './standby.js';
