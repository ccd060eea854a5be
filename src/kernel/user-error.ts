/** The program cannot start, or a command cannot run, for a reason that the user can fix. The message says how. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
