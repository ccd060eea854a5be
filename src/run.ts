import { printLine } from './cli/print.js';
import { readSettings, SettingsError } from './config.js';
import { UserError } from './kernel/user-error.js';
import { DirectoryUnusable, SchemaTooNew } from './platform/sql/index.js';
import { serve } from './serve.js';

const isUserError = (error: unknown): error is Error =>
  [UserError, SettingsError, DirectoryUnusable, SchemaTooNew].some((kind) => error instanceof kind);

/** Prints an error that the user can fix as its message, any other error with its stack, and sets exit code 1. */
export async function withCliErrors(work: () => Promise<void>): Promise<void> {
  // The database and its backups contain password hashes: new files are readable by this user only.
  process.umask(0o077);
  try {
    await work();
  } catch (error) {
    const text = isUserError(error) ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${text ?? 'unknown error'}\n`);
    process.exitCode = 1;
  }
}

/** Starts the server with the settings of `env` and stops it on SIGTERM or SIGINT. */
export async function runServer(env: NodeJS.ProcessEnv): Promise<void> {
  const settings = readSettings(env);
  const server = await serve(settings);
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    void withCliErrors(() => server.stop());
  };
  // `on`, not `once`: npm and the terminal both send SIGINT, and an unhandled second one would abort the shutdown.
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // After the signal handlers are installed: a supervisor may send a signal as soon as it reads this line.
  printLine(`Foyer is listening on ${server.address}`);
  printLine(`  promoters: ${server.address}/operator   API reference: ${server.address}/docs`);
  if (server.demo) {
    printLine(`  operator: ${server.demo.operator}`);
    printLine(`  demo fan: ${server.demo.fan}`);
  }
}
