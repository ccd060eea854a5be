import { errorMessage, UserError } from '../../../kernel/user-error.js';
import { SchemaTooNew } from '../migrate.js';

/** The driver's messages name the host and the role, never the password. */
export const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const first = cause instanceof AggregateError ? (cause.errors[0] as unknown) : cause;
  return errorMessage(first);
};

/** Explains to the user who started the program why the database is unusable. */
export const toPostgresUserError = (error: unknown): Error =>
  error instanceof SchemaTooNew || error instanceof UserError
    ? error
    : new UserError(`The database of DATABASE_URL cannot be used: ${reasonOf(error)}`);
