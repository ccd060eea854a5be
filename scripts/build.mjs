// Compiles src/ into dist/ and the pages into dist/web. The new tree takes the old one's place whole, so that nobody ever
// starts half a build.
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const fresh = `dist.${process.pid}`;
const old = `${fresh}.old`;
const pages = resolve(fresh, 'web');

/** Ends the build when a step fails, and leaves nothing of it behind. */
function run(/** @type {string[]} */ ...command) {
  const { status } = spawnSync('npx', ['--no-install', ...command], { stdio: 'inherit' });
  if (status === 0) return;
  rmSync(fresh, { recursive: true, force: true });
  process.exit(status ?? 1);
}

run('tsc', '-p', 'tsconfig.build.json', '--outDir', fresh);
run(
  'vite',
  'build',
  '--config',
  'web/vite.config.ts',
  '--outDir',
  pages,
  '--emptyOutDir',
  '--logLevel',
  'warn',
);

// Compressed once, here, as hard as can be: the server only picks.
for (const entry of readdirSync(pages, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const file = join(entry.parentPath, entry.name);
  const bytes = readFileSync(file);
  writeFileSync(`${file}.br`, brotliCompressSync(bytes));
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}

chmodSync(`${fresh}/cli.js`, 0o755);
try {
  renameSync('dist', old);
} catch {
  // The first build.
}
renameSync(fresh, 'dist');
rmSync(old, { recursive: true, force: true });
