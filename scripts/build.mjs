// Compiles src/ into dist/modules, bundles it with its packages into dist/main.js, dist/cli.js and dist/desk-worker.js,
// which start in half the time, and builds the web pages into dist/web. The new tree replaces dist/ by a rename, so that no process starts from an
// incomplete build.
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const startedMs = performance.now();
/** On stderr: the output of `npm start` on stdout is the server's log. */
const say = (/** @type {string} */ text) => process.stderr.write(text);
say('Building…\n');

const newDist = `dist.${process.pid}`;
const oldDist = `${newDist}.old`;
const pages = resolve(newDist, 'web');

/** Runs one step. If it fails, removes the incomplete output and exits. */
function run(/** @type {string[]} */ ...command) {
  // Tests build too, with another NODE_ENV: the pages would get the development build of React.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { status } = spawnSync('npx', ['--no-install', ...command], { stdio: 'inherit', env });
  if (status === 0) return;
  rmSync(newDist, { recursive: true, force: true });
  say('The build failed.\n');
  process.exit(status ?? 1);
}

run('tsc', '-p', 'tsconfig.build.json', '--outDir', join(newDist, 'modules'));
const bundle = await rolldown({
  input: {
    main: join(newDist, 'modules/main.js'),
    cli: join(newDist, 'modules/cli.js'),
    // A thread of its own, started by platform/sql/sqlite/desk.ts.
    'desk-worker': join(newDist, 'modules/platform/sql/sqlite/desk-worker.js'),
  },
  platform: 'node',
  // Native add-ons cannot be bundled; they are loaded from node_modules.
  external: ['@node-rs/argon2', 'better-sqlite3', 'pg-native'],
});
await bundle.write({ dir: newDist, format: 'esm', chunkFileNames: 'chunks/[name]-[hash].js' });
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

/** Images are compressed already. */
const COMPRESSED = /\.(?:html|css|js|svg|webmanifest)$/;
// Compress every page at the highest level now, so that the server only selects a file.
for (const entry of readdirSync(pages, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !COMPRESSED.test(entry.name)) continue;
  const file = join(entry.parentPath, entry.name);
  const bytes = readFileSync(file);
  writeFileSync(`${file}.br`, brotliCompressSync(bytes));
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}

chmodSync(`${newDist}/cli.js`, 0o755);
try {
  renameSync('dist', oldDist);
} catch {
  // There is no dist/ before the first build.
}
renameSync(newDist, 'dist');
rmSync(oldDist, { recursive: true, force: true });
say(`Built in ${((performance.now() - startedMs) / 1000).toFixed(1)} s.\n`);
