import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const MEMORY_FILE_SYSTEM = '/dev/shm';

/** Creates a directory in memory if the system has a memory file system: fsync costs nothing there. */
export const makeMemoryDirectory = (): string =>
  mkdtempSync(join(existsSync(MEMORY_FILE_SYSTEM) ? MEMORY_FILE_SYSTEM : tmpdir(), 'foyer-test-'));

/** Creates such a directory and removes it when the current test has finished. */
export function memoryDirectory(): string {
  const path = makeMemoryDirectory();
  onTestFinished(() => {
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}
