import { UserError } from '../kernel/user-error.js';
import { runServer } from '../run.js';
import type { Command } from './command.js';

export const serveCommand: Command = {
  summary: 'start the server',
  help: `foyer serve

Starts the server with the settings of the environment (PORT, HOST, FOYER_DATA_DIR, …; see the README): on the SQLite
database in FOYER_DATA_DIR, one process at a time, or on the PostgreSQL of DATABASE_URL, as many as you like. Stops it at
SIGTERM or Ctrl-C: not ready at once, requests in flight finished, exit 0 within ten seconds.`,
  async run(args, env) {
    if (args.length > 0)
      throw new UserError('foyer serve takes no arguments: it is set up by the environment.');
    await runServer(env);
  },
};
