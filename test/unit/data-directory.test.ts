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

/** Another process that locks the directory until it is killed. */
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
  it('is created if missing, accessible to its owner only', () => {
    const directory = join(memoryDirectory(), 'deep', 'inside');
    const taken = take(directory);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(taken.databaseFile).toBe(join(directory, 'foyer.db'));
    expect(taken.path('x')).toBe(join(directory, 'x'));
  });

  it('is locked by one process, whose pid the error names, until it is released', () => {
    const directory = memoryDirectory();
    const first = takeDataDirectory(directory);
    expect(() => takeDataDirectory(directory)).toThrow(DirectoryUnusable);
    expect(() => takeDataDirectory(directory)).toThrow(`pid ${process.pid}`);
    first.release();
    take(directory);
  });

  it('is unlocked when the process that locked it is killed', async () => {
    const directory = memoryDirectory();
    const child = await takeInChild(directory);
    expect(() => takeDataDirectory(directory)).toThrow(`pid ${child.pid ?? 0}`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    take(directory);
    expect(() => takeDataDirectory(directory)).toThrow(`pid ${process.pid}`);
  });

  it('reports why it cannot be used', () => {
    const file = join(memoryDirectory(), 'a-file');
    writeFileSync(file, '');
    expect(() => takeDataDirectory(join(file, 'below'))).toThrow(DirectoryUnusable);
    expect(() => takeDataDirectory(join(file, 'below'))).toThrow(/cannot be created.*ENOTDIR/);
    expect(() => takeDataDirectory(file)).toThrow(`cannot be created: ${file} is a file`);
    // Node's recursive mkdir never returns for this path.
    expect(() => takeDataDirectory('/proc/nothing/below')).toThrow(/cannot be created: ENOENT/);
  });
});

describe('the stored secret', () => {
  it('is created once, long enough, and readable by its owner only', () => {
    const taken = take(memoryDirectory());
    const secret = taken.loadOrCreateSecret();
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(taken.loadOrCreateSecret()).toBe(secret);
    expect(readFileSync(taken.path('secret'), 'utf8').trim()).toBe(secret);
    expect(statSync(taken.path('secret')).mode & 0o777).toBe(0o600);
    expect(take(memoryDirectory()).loadOrCreateSecret()).not.toBe(secret);
  });

  it('is never empty: anyone could sign tokens with an empty secret', () => {
    const taken = take(memoryDirectory());
    // The result of a crash between creating the file and writing it.
    writeFileSync(taken.path('secret'), '');
    let secret: string | undefined;
    try {
      secret = taken.loadOrCreateSecret();
    } catch (error) {
      expect(error).toBeInstanceOf(DirectoryUnusable);
    }
    expect(secret).not.toBe('');
  });
});
