import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import {
  createAddOperator,
  createInviteOperator,
  createIssueLink,
  createPasswords,
  OPERATOR_NAME,
} from '../accounts/index.js';
import { readSettings } from '../config.js';
import { isEmail, isPassword, PASSWORD_MAX, PASSWORD_MIN } from '../kernel/credentials.js';
import { iso } from '../kernel/time.js';
import { UserError } from '../kernel/user-error.js';
import { ledger } from '../wallet/index.js';
import type { Command } from './command.js';
import { openNextToServers } from './open-next-to-servers.js';
import { printLine } from './print.js';

const HELP = `foyer operator add EMAIL [--name NAME] [--password-stdin]

Prints a link with which the owner of EMAIL chooses a password and becomes an operator. Give it to nobody else: it replaces
the password of an account that EMAIL may already have. The link begins with FOYER_PUBLIC_URL and works once, within three
days. For an operator who has lost the password it sets a new one.

  --name NAME        the name of a new account (default ${OPERATOR_NAME})
  --password-stdin   create the account at once, with the password on standard input; EMAIL must not have an account

With SQLite (FOYER_DATA_DIR) and with PostgreSQL (DATABASE_URL), servers may keep running.`;

const OPTIONS = { name: { type: 'string' }, 'password-stdin': { type: 'boolean' } } as const;

async function readPassword(): Promise<string> {
  const password = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (!isPassword(password))
    throw new UserError(`The password must have ${PASSWORD_MIN} to ${PASSWORD_MAX} characters.`);
  return password;
}

export const operator: Command = {
  summary: 'add an operator',
  help: HELP,
  async run(args, env) {
    const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
    const [action, email, ...rest] = positionals;
    if (action !== 'add' || email === undefined || rest.length > 0) throw new UserError(HELP);
    if (!isEmail(email)) throw new UserError('EMAIL must be an e-mail address.');
    const account = { email, name: values.name ?? OPERATOR_NAME };
    const settings = readSettings(env);
    const password = values['password-stdin'] ? await readPassword() : undefined;
    const { sql, close } = await openNextToServers(settings);
    try {
      const onSignUp = ledger.open;
      if (password === undefined) {
        const invite = createInviteOperator({ onSignUp, issueLink: createIssueLink(settings.publicUrl) });
        const { link, expiresAtMs } = await sql.transaction((tx) => invite(tx, null, account));
        printLine(`${link}\nvalid until ${iso(expiresAtMs)}`);
        return;
      }
      const addOperator = createAddOperator({
        sql,
        passwords: createPasswords(settings.passwordMemoryMib),
        onSignUp,
      });
      if (!(await addOperator({ ...account, password })))
        throw new UserError(
          `${email} has an account already. Leave out --password-stdin to print a link that sets a new password.`,
        );
      printLine(`${email} is an operator`);
    } finally {
      await close();
    }
  },
};
