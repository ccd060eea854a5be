import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';

const modifiedMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const newestModifiedMs = (directory: string): number =>
  Math.max(
    ...readdirSync(directory, { recursive: true }).map((file) =>
      modifiedMs(`${directory}/${file.toString()}`),
    ),
  );

/** Builds `dist/` before all tests if a source is newer, because many tests start the built server. */
export default function build(): void {
  if (
    modifiedMs('dist/main.js') >
    Math.max(newestModifiedMs('src'), newestModifiedMs('web'), modifiedMs('tsconfig.build.json'))
  )
    return;
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
}
