import { parseArgs } from 'node:util';
import { readSettings } from '../config.js';
import { Refusal } from '../kernel/refusal.js';
import { UserError } from '../kernel/user-error.js';
import { createChangePolicy } from '../operator/index.js';
import { parsePolicyPatch, type PolicyPatch, offlinePolicy } from '../waiting-room/index.js';
import type { Command } from './command.js';
import { openNextToServers } from './open-next-to-servers.js';
import { printLine } from './print.js';

const HELP = `foyer policy show CONCERT_ID
foyer policy set CONCERT_ID name=value …

Shows or changes the waiting-room policy of a concert. Servers may keep running: with SQLite (FOYER_DATA_DIR) the server
applies a change within a second, with PostgreSQL (DATABASE_URL) all servers apply it to their next request. Values are
numbers, true, false, null, PAYMENT or RESERVATION, and for notice a text:

  foyer policy set 3f0c… maxActive=500 idleSeconds=null paused=false 'notice=The doors open at 8 p.m.'

Names: maxActive, admitCount, admitEverySeconds, activeSeconds, idleSeconds, showUpSeconds, consumeOn, holdSeconds,
maxSeatsPerUser, paused, closeWhenSoldOut, notice.`;

async function parsePatch(assignments: readonly string[]): Promise<PolicyPatch> {
  const patch: PolicyPatch = {};
  for (const assignment of assignments) {
    const [, name, text] = /^(\w+)=(.*)$/s.exec(assignment) ?? [];
    if (name === undefined || text === undefined) throw new UserError(`"${assignment}" is not name=value.`);
    const part = await parsePolicyPatch({ [name]: parseValue(name, text) });
    if (!part)
      throw new UserError(
        `${assignment} is not valid: ${name} is not part of a policy or does not accept this value. See foyer policy --help.`,
      );
    Object.assign(patch, part);
  }
  return patch;
}

function parseValue(name: string, text: string): string | number | boolean | null {
  if (text === 'null') return null;
  // Any text, even one that looks like a number.
  if (name === 'notice') return text;
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d{1,12}$/.test(text) ? Number(text) : text;
}

export const policy: Command = {
  summary: "show or change a waiting room's policy",
  help: HELP,
  async run(args, env) {
    const { positionals } = parseArgs({ args: [...args], allowPositionals: true, options: {} });
    const [action, concertId, ...assignments] = positionals;
    if (concertId === undefined || (action !== 'show' && action !== 'set')) throw new UserError(HELP);
    if ((action === 'set') !== assignments.length > 0) throw new UserError(HELP);
    const { sql, close } = await openNextToServers(readSettings(env));
    try {
      const policies = offlinePolicy(sql);
      const changePolicy = createChangePolicy(policies);
      const set = (patch: PolicyPatch) => sql.transaction((tx) => changePolicy(tx, null, concertId, patch));
      const result =
        action === 'show' ? await policies.show(concertId) : await set(await parsePatch(assignments));
      printLine(JSON.stringify(result, null, 2));
    } catch (error) {
      if (error instanceof Refusal && error.code === 'CONCERT_NOT_FOUND')
        throw new UserError('No concert has that id.');
      if (error instanceof Refusal)
        throw new UserError('admitCount and admitEverySeconds go together: both, or neither.');
      throw error;
    } finally {
      await close();
    }
  },
};
