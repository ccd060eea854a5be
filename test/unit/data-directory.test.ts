import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DirectoryUnusable, takeDataDirectory } from '../../src/platform/sql/index.js';
import { memoryDirectory } from '../support/memory-directory.js';

const BUILT_SQL = new URL('../../dist/modules/platform/sql/index.js', import.meta.url).href;

function take(directory: string): ReturnType<typeof takeDataDirectory> {
  const taken = takeDataDirectory(directory);
  onTestFinished(() => {
    taken.release();
  });
  return taken;
}

/** Another process that holds the directory until it is killed. */
async function takeInChild(directory: string): Promise<ChildProcess> {
  const script = `
    import { takeDataDirectory } from ${JSON.stringify(BUILT_SQL)};
    takeDataDirectory(${JSON.stringify(directory)});
    console.log('taken');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await once(child.stdout, 'data');
  return child;
}

describe('the data directory', () => {
  it('is made when missing, for its owner only', () => {
    const directory = join(memoryDirectory(), 'deep', 'inside');
    const taken = take(directory);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(taken.databaseFile).toBe(join(directory, 'foyer.db'));
    expect(taken.path('x')).toBe(join(directory, 'x'));
  });

  it('belongs to one at a time, names who has it, and is free once released', () => {
    const directory = memoryDirectory();
    const first = takeDataDirectory(directory);
    expect(() => takeDataDirectory(directory)).toThrow(DirectoryUnusable);
    expect(() => takeDataDirectory(directory)).toThrow(`pid ${process.pid}`);
    first.release();
    take(directory);
  });

  it('is free again when the process that had it was killed', async () => {
    const directory = memoryDirectory();
    const child = await takeInChild(directory);
    expect(() => takeDataDirectory(directory)).toThrow(`pid ${child.pid ?? 0}`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    take(directory);
    expect(() => takeDataDirectory(directory)).toThrow(`pid ${process.pid}`);
  });

  it('says why it cannot be used', () => {
    const file = join(memoryDirectory(), 'a-file');
    writeFileSync(file, '');
    expect(() => takeDataDirectory(join(file, 'below'))).toThrow(DirectoryUnusable);
    expect(() => takeDataDirectory(join(file, 'below'))).toThrow(/cannot be created.*ENOTDIR/);
    expect(() => takeDataDirectory(file)).toThrow(`cannot be created: ${file} is a file`);
    // Where nothing can be made, Node's own way of making a whole path never ends.
    expect(() => takeDataDirectory('/proc/nothing/below')).toThrow(/cannot be created: ENOENT/);
  });
});

describe('the kept secret', () => {
  it('is made once, long, and readable by its owner only', () => {
    const taken = take(memoryDirectory());
    const secret = taken.keptSecret();
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(taken.keptSecret()).toBe(secret);
    expect(readFileSync(taken.path('secret'), 'utf8').trim()).toBe(secret);
    expect(statSync(taken.path('secret')).mode & 0o777).toBe(0o600);
    expect(take(memoryDirectory()).keptSecret()).not.toBe(secret);
  });

  it('is never empty: whoever knows that could sign tokens', () => {
    const taken = take(memoryDirectory());
    // What a crash between making the file and writing it leaves behind.
    writeFileSync(taken.path('secret'), '');
    let secret: string | undefined;
    try {
      secret = taken.keptSecret();
    } catch (error) {
      expect(error).toBeInstanceOf(DirectoryUnusable);
    }
    expect(secret).not.toBe('');
  });
});
