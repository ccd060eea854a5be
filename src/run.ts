import { readSettings, SettingsFault } from './config.js';
import { UserError } from './kernel/user-error.js';
import { DirectoryUnusable, SchemaTooNew } from './platform/sql/index.js';
import { serve } from './serve.js';

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const isUserError = (error: unknown): error is Error =>
  [UserError, SettingsFault, DirectoryUnusable, SchemaTooNew].some((kind) => error instanceof kind);

/** Faults that a person can mend are said in a sentence; anything else is a bug and shows where it happened. */
export async function withCliErrors(work: () => Promise<void>): Promise<void> {
  // The database holds password hashes, and a backup of it does: for this user's eyes only.
  process.umask(0o077);
  try {
    await work();
  } catch (error) {
    const text = isUserError(error) ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${text ?? 'unknown error'}\n`);
    process.exitCode = 1;
  }
}

/** Starts the server with the environment's settings and stops it at SIGTERM or SIGINT. */
export async function runServer(env: NodeJS.ProcessEnv): Promise<void> {
  const settings = readSettings(env);
  const server = await serve(settings);
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    void withCliErrors(() => server.stop());
  };
  // Kept: npm and the terminal both send Ctrl-C, and the second must not cut the stopping short.
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // Only now: whoever reads this may send a signal at once.
  say(`Foyer is listening on ${server.address}`);
  say(`  promoters: ${server.address}/operator   API reference: ${server.address}/docs`);
  if (server.demo) {
    say(`  operator: ${server.demo.operator}`);
    say(`  demo fan: ${server.demo.fan}`);
  }
}
