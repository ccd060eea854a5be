import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packagePath } from '../../src/platform/runtime/index.js';
import { postgres } from '../support/databases.js';
import { runProgram } from '../support/programs.js';
import { startServer, tempDirectory } from '../support/server.js';

describe('an installation without better-sqlite3', () => {
  let home = '';
  let remove: () => Promise<void>;
  beforeAll(async () => {
    ({ path: home, remove } = await tempDirectory());
    // The built server contains all its packages but this one and the one that hashes passwords.
    for (const path of [
      'package.json',
      'migrations',
      'scripts',
      'dist/main.js',
      'dist/cli.js',
      'dist/chunks',
      'node_modules/@node-rs',
    ])
      cpSync(packagePath(path), join(home, path), { recursive: true });
  });
  afterAll(() => remove());

  const run = (...args: string[]) =>
    runProgram([join(home, args[0] ?? ''), ...args.slice(1)], { FOYER_DATA_DIR: join(home, 'data') });

  it('stops the server with a sentence that says how to install it', async () => {
    const { code, stdout, stderr } = await run('dist/main.js');
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toBe(
      `The SQLite driver (better-sqlite3) is not installed or does not work with Node.js ${process.version} ` +
        "(Error: Cannot find module 'better-sqlite3'). Where there is no prebuilt binary, as for Node.js 20, " +
        'npm ci compiles it and needs python3, make and g++: apt-get install python3 make g++, then run npm ci again. ' +
        'With DATABASE_URL set, Foyer runs on PostgreSQL without it.\n',
    );
  });

  it('stops a command in the same way', async () => {
    writeFileSync(join(home, 'data/foyer.db'), '');
    const { code, stderr } = await run('dist/cli.js', 'backup', join(home, 'copy.db'));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The SQLite driver \(better-sqlite3\) is not installed [^\n]+\n$/);
  });

  it('stops the tests with a sentence', async () => {
    const { code, stderr } = await run('scripts/test.mjs');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^The tests need the SQLite driver \(better-sqlite3\)[^\n]+ run npm ci again\.\n$/,
    );
  });

  it('serves on PostgreSQL', async () => {
    const { env, remove: drop } = await postgres.create();
    const server = await startServer(env, join(home, 'dist/main.js'));
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    await drop();
  });

  it('gives the reason when the binary does not fit', async () => {
    const directory = join(home, 'node_modules/better-sqlite3');
    mkdirSync(directory, { recursive: true });
    writeFileSync(
      join(directory, 'index.js'),
      `module.exports = class { constructor() { throw new Error('compiled for another version\\nof Node.js'); } };`,
    );
    const { code, stderr } = await run('dist/main.js');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The SQLite driver [^\n]+ \(Error: compiled for another version\)\. [^\n]+\n$/);
  });
});
