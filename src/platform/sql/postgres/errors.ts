import pg from 'pg';

/** The connection broke, or could not be made: the server's word on what was under way never came. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** Never run: a statement before it, sent with it, has failed. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

/** A transaction waited for others for so long that the time it went by is no longer the time. */
export class StaleTime extends Error {
  override readonly name = 'OutOfDate';
}

const sqlStateOf = (error: unknown): string =>
  error instanceof pg.DatabaseError && error.code !== undefined ? error.code : '';

/** Two were in each other's way, and this one was undone: a serialization failure, a deadlock, or too long a wait. */
export const isConflict = (error: unknown): boolean =>
  error instanceof StaleTime || ['40001', '40P01'].includes(sqlStateOf(error));

/** Waited too long for a lock or for an answer; undone. */
export const isTimeout = (error: unknown): boolean => ['55P03', '57014'].includes(sqlStateOf(error));

/** Nothing of its own: a statement before it has failed. */
export const isAborted = (error: unknown): boolean =>
  error instanceof Skipped || sqlStateOf(error) === '25P02';

/** A pooler gave the connection to somebody else: statements prepared on it are not there, or are another's. */
export const isPreparedElsewhere = (error: unknown): boolean =>
  ['26000', '42P05'].includes(sqlStateOf(error));

/**
 * The connection is gone, or its server is going, has too many, or takes no writes (a standby, or a primary that was
 * demoted): whatever was not committed on it did not happen.
 */
export function isConnectionLost(error: unknown): boolean {
  const state = sqlStateOf(error);
  return (
    error instanceof ConnectionLost || /^(?:08|57P|53)/.test(state) || state === '25006' || state === '25P03'
  );
}
