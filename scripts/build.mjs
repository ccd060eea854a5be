// Compiles src/ into dist/modules, puts it with its packages into few files (dist/main.js, dist/cli.js), which start in half
// the time, and the pages into dist/web. The new tree takes the old one's place whole, so that nobody ever starts half a
// build.
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

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

run('tsc', '-p', 'tsconfig.build.json', '--outDir', join(fresh, 'modules'));
const bundle = await rolldown({
  input: { main: join(fresh, 'modules/main.js'), cli: join(fresh, 'modules/cli.js') },
  platform: 'node',
  // Machine code stays where npm has put it.
  external: ['better-sqlite3', 'pg-native'],
});
await bundle.write({ dir: fresh, format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' });
await bundle.close();
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
