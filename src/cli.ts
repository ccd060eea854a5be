#!/usr/bin/env node
import { COMMANDS } from './cli/commands.js';
import { say } from './cli/say.js';
import { StartFault } from './kernel/start-fault.js';
import { withPlainFaults } from './run.js';

const NAME_WIDTH = Math.max(...Object.keys(COMMANDS).map(({ length }) => length)) + 1;

const USAGE = `foyer: a concert on-sale system

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  foyer ${name.padEnd(NAME_WIDTH)} ${summary}`)
  .join('\n')}

foyer COMMAND --help says more.`;

async function main([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    say(USAGE);
    return;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new StartFault(`There is no command "${name}".\n\n${USAGE}`);
  if (args.includes('--help') || args.includes('-h')) {
    say(command.help);
    return;
  }
  try {
    await command.run(args, process.env);
  } catch (error) {
    throw asUsageFault(error);
  }
}

/** Node's own parser explains a wrong option well enough. */
function asUsageFault(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (error instanceof Error && typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS')) {
    return new StartFault(error.message);
  }
  return error;
}

await withPlainFaults(() => main(process.argv.slice(2)));
