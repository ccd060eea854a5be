import { UserError } from '../kernel/user-error.js';
import { runServer } from '../run.js';
import type { Command } from './command.js';

export const serveCommand: Command = {
  summary: 'start the server',
  help: `foyer serve

Starts the server: one process with SQLite in FOYER_DATA_DIR, or any number of processes with the PostgreSQL of
DATABASE_URL. Settings are environment variables; docs/settings.md describes all of them.

On SIGTERM or Ctrl-C the server reports that it is not ready, finishes the requests in flight and exits with 0, by default
within ten seconds.`,
  async run(args, env) {
    if (args.length > 0)
      throw new UserError(
        'foyer serve takes no arguments. Settings are environment variables: see docs/settings.md.',
      );
    await runServer(env);
  },
};
