#!/usr/bin/env node
import { COMMANDS } from './cli/commands.js';
import { printLine } from './cli/print.js';
import { UserError } from './kernel/user-error.js';
import { withCliErrors } from './run.js';

const NAME_WIDTH = Math.max(...Object.keys(COMMANDS).map(({ length }) => length)) + 1;

const USAGE = `foyer: a concert on-sale system

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  foyer ${name.padEnd(NAME_WIDTH)} ${summary}`)
  .join('\n')}

foyer COMMAND --help describes a command.`;

async function main([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    printLine(USAGE);
    return;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UserError(`There is no command "${name}".\n\n${USAGE}`);
  if (args.includes('--help') || args.includes('-h')) {
    printLine(command.help);
    return;
  }
  try {
    await command.run(args, process.env);
  } catch (error) {
    throw toUsageError(error);
  }
}

/** Node's `parseArgs` explains a wrong option well enough to show its message to the user. */
function toUsageError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (error instanceof Error && typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS')) {
    return new UserError(error.message);
  }
  return error;
}

await withCliErrors(() => main(process.argv.slice(2)));
