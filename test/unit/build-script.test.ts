import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const SCRIPT = join(process.cwd(), 'scripts', 'build.mjs');

/** Stands in for the compilers, which take half a minute: writes the files that the script expects of them. */
const NPX = `#!/bin/sh
case "$2" in
  tsc)
    mkdir -p "$6/platform/sql/sqlite"
    for name in main cli platform/sql/sqlite/desk-worker; do echo "console.log('$name');" > "$6/$name.js"; done ;;
  vite)
    [ -e fail ] && exit 3
    mkdir -p "$7"
    echo "$NODE_ENV" > environment
    echo '<!doctype html>' > "$7/index.html"
    echo png > "$7/share.png" ;;
esac
`;

describe('npm run build', () => {
  let directory = '';
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'foyer-build-'));
    await writeFile(join(directory, 'npx'), NPX);
    await chmod(join(directory, 'npx'), 0o755);
  });
  afterEach(() => rm(directory, { recursive: true }));

  const build = () =>
    run(process.execPath, [SCRIPT], {
      cwd: directory,
      env: { ...process.env, PATH: `${directory}:${process.env['PATH'] ?? ''}` },
    });

  it('says that it builds, and how long it took', async () => {
    const { stdout, stderr } = await build();
    expect(stderr).toMatch(/^Building…\n[\s\S]*Built in \d+\.\d s\.\n$/);
    // Only the server's log belongs there.
    expect(stdout).toBe('');
    expect(await readFile(join(directory, 'dist', 'main.js'), 'utf8')).toContain('main');
    // Not the development build of React, although this test runs with another NODE_ENV.
    expect(await readFile(join(directory, 'environment'), 'utf8')).toBe('production\n');
  });

  it('says that it failed, and leaves no output', async () => {
    await writeFile(join(directory, 'fail'), '');
    await expect(build()).rejects.toMatchObject({ code: 3, stderr: 'Building…\nThe build failed.\n' });
    await expect(readFile(join(directory, 'dist', 'main.js'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
