import pg from 'pg';

/** The connection broke or could not be opened, so the results of the statements in flight are unknown. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** The server skipped the statement because an earlier one in the same pipeline failed. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

const sqlStateOf = (error: unknown): string =>
  error instanceof pg.DatabaseError && error.code !== undefined ? error.code : '';

/** Rolled back because of another transaction (serialization failure, deadlock); a retry may succeed. */
export const isConflict = (error: unknown): boolean => ['40001', '40P01'].includes(sqlStateOf(error));

/** `lock_timeout` or `statement_timeout` was exceeded; the transaction was rolled back. */
export const isTimeout = (error: unknown): boolean => ['55P03', '57014'].includes(sqlStateOf(error));

/** Only a consequence: an earlier statement of the transaction failed. */
export const isAborted = (error: unknown): boolean =>
  error instanceof Skipped || sqlStateOf(error) === '25P02';

/** A pooler switched the server connection: the prepared statement is missing there, or its name is taken. */
export const isPreparedElsewhere = (error: unknown): boolean =>
  ['26000', '42P05'].includes(sqlStateOf(error));

/**
 * The connection is lost, or its server shuts down, has too many connections, or rejects writes (a standby or a demoted
 * primary). Anything not committed on this connection was rolled back.
 */
export function isConnectionLost(error: unknown): boolean {
  const state = sqlStateOf(error);
  return (
    error instanceof ConnectionLost || /^(?:08|57P|53)/.test(state) || state === '25006' || state === '25P03'
  );
}
