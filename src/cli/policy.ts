import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openStore, type Store } from '../compose.js';
import { readSettings, type Settings } from '../config.js';
import { Refusal } from '../kernel/refusal.js';
import { UserError } from '../kernel/user-error.js';
import { createChangePolicy } from '../operator/index.js';
import { openExistingSqlite } from '../platform/sql/index.js';
import { parsePolicyPatch, type PolicyPatch, offlinePolicy } from '../waiting-room/index.js';
import type { Command } from './command.js';
import { printLine } from './print.js';

const HELP = `foyer policy show CONCERT_ID
foyer policy set CONCERT_ID name=value …

Shows or changes the waiting-room policy of a concert. Servers may keep running: with SQLite (FOYER_DATA_DIR) the server
applies a change within a second, with PostgreSQL (DATABASE_URL) all servers apply it to their next request. Values are
numbers, true, false, null, PAYMENT or RESERVATION:

  foyer policy set 3f0c… maxActive=500 idleSeconds=null paused=false

Names: maxActive, admitCount, admitEverySeconds, activeSeconds, idleSeconds, consumeOn, holdSeconds, maxSeatsPerUser,
paused.`;

async function parsePatch(assignments: readonly string[]): Promise<PolicyPatch> {
  const patch: PolicyPatch = {};
  for (const assignment of assignments) {
    const [, name, text] = /^(\w+)=(.*)$/.exec(assignment) ?? [];
    if (name === undefined || text === undefined) throw new UserError(`"${assignment}" is not name=value.`);
    const part = await parsePolicyPatch({ [name]: parseValue(text) });
    if (!part)
      throw new UserError(
        `${assignment} is not valid: ${name} is not part of a policy or does not accept this value. See foyer policy --help.`,
      );
    Object.assign(patch, part);
  }
  return patch;
}

function parseValue(text: string): string | number | boolean | null {
  if (text === 'null') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d{1,12}$/.test(text) ? Number(text) : text;
}

/** Does not lock the data directory, because a running server holds that lock. */
async function openNextToServers(settings: Settings): Promise<Pick<Store, 'sql' | 'close'>> {
  if (settings.databaseUrl !== undefined) return openStore(settings, { onFatal: rethrow });
  const sql = openExistingSqlite(join(settings.dataDir, 'foyer.db'));
  return { sql, close: () => sql.close() };
}

const rethrow = (error: unknown): never => {
  throw error;
};

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
