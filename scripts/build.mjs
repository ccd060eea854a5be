// Compiles src/ into dist/. The new tree takes the old one's place whole, so that nobody ever starts half a build.
import { spawnSync } from 'node:child_process';
import { chmodSync, renameSync, rmSync } from 'node:fs';

const fresh = `dist.${process.pid}`;
const old = `${fresh}.old`;
const { status } = spawnSync('npx', ['--no-install', 'tsc', '-p', 'tsconfig.build.json', '--outDir', fresh], {
  stdio: 'inherit',
});
if (status !== 0) {
  rmSync(fresh, { recursive: true, force: true });
  process.exit(status ?? 1);
}
chmodSync(`${fresh}/cli.js`, 0o755);
try {
  renameSync('dist', old);
} catch {
  // The first build.
}
renameSync(fresh, 'dist');
rmSync(old, { recursive: true, force: true });
