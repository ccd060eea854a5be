import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const MEMORY = '/dev/shm';

/** A directory in memory where there is one: fsync costs nothing there, and thousands of stores fit in a minute. */
export const makeMemoryDirectory = (): string =>
  mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'foyer-test-'));

/** The same, gone when the test that asked for it has finished. */
export function memoryDirectory(): string {
  const path = makeMemoryDirectory();
  onTestFinished(() => {
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}
