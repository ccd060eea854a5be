import { backup } from './backup.js';
import type { Command } from './command.js';
import { migrate } from './migrate.js';
import { migrateToPostgres } from './migrate-to-postgres.js';
import { operator } from './operator.js';
import { policy } from './policy.js';
import { seed } from './seed.js';
import { serveCommand } from './serve.js';

export const COMMANDS: Readonly<Record<string, Command>> = {
  serve: serveCommand,
  seed,
  backup,
  policy,
  operator,
  migrate,
  'migrate-to-postgres': migrateToPostgres,
};
