import { type Identity, run } from './run.js';

export const isRoot = (): boolean => process.getuid?.() === 0;

/** PostgreSQL refuses to run as root, so root runs it as the user `postgres` of Debian's package, or else as `nobody`. */
export async function unprivilegedUser(): Promise<Identity> {
  if (!isRoot()) return {};
  const user = (await hasUser('postgres')) ? 'postgres' : 'nobody';
  return { uid: Number(await run('id', ['-u', user])), gid: Number(await run('id', ['-g', user])) };
}

const hasUser = (name: string): Promise<boolean> =>
  run('id', ['-u', name]).then(
    () => true,
    () => false,
  );
