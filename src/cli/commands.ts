import { backup } from './backup.js';
import { policy } from './policy.js';
import { seed } from './seed.js';
import { serveCommand } from './serve.js';

export interface Command {
  readonly summary: string;
  readonly help: string;
  run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void>;
}

export const COMMANDS: Readonly<Record<string, Command>> = { serve: serveCommand, seed, backup, policy };
