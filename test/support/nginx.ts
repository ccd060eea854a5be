import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packagePath } from '../../src/platform/runtime/index.js';
import { findProgram } from './machine/find-program.js';
import { onFreePort } from './machine/free-port.js';
import { unprivilegedUser } from './machine/identity.js';
import { startDaemon } from './postgres/daemon.js';
import { createSelfCleaningDirectory } from './postgres/self-cleaning-directory.js';

const INSTALL = 'nginx was not found: install nginx and have it on the PATH or in /usr/sbin.';
const STOP_SCRIPT = '[ ! -f "$1/pid" ] || kill -TERM "$(cat "$1/pid")"';

export interface Nginx {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts nginx with docker/nginx.conf in front of one Foyer server. */
export async function startNginx(foyerUrl: string): Promise<Nginx> {
  const program = await findProgram('nginx', INSTALL);
  const identity = await unprivilegedUser();
  const { path, remove } = await createSelfCleaningDirectory({
    identity,
    stop: { script: STOP_SCRIPT, args: [] },
  });
  try {
    const url = await onFreePort(async (port) => {
      const address = `http://127.0.0.1:${port}`;
      await writeFile(join(path, 'nginx.conf'), await configuration(foyerUrl, port, path));
      const args = ['-p', path, '-c', join(path, 'nginx.conf'), '-g', 'daemon off;'];
      const daemon = await startDaemon(program, args, { directory: path, identity });
      await daemon.waitUntilReady(() => isReady(address));
      return address;
    });
    return { url, stop: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The example with only the addresses and the places of files changed. */
async function configuration(foyerUrl: string, port: number, directory: string): Promise<string> {
  const example = await readFile(packagePath('docker', 'nginx.conf'), 'utf8');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return example
    .replace(/foyer-1:3000/, new URL(foyerUrl).host)
    .replace(/^ +server foyer-.*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('worker_processes auto;', `worker_processes 1;\npid ${directory}/pid;`)
    .replace(
      'http {',
      `http {\n${temporary.map((name) => `${name}_temp_path ${directory}/${name};`).join('\n')}`,
    );
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
