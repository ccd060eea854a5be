import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';

const changedMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const newestMs = (directory: string): number =>
  Math.max(
    ...readdirSync(directory, { recursive: true }).map((file) =>
      changedMs(`${directory}/${file.toString()}`),
    ),
  );

/** Builds `dist/` before all tests, unless nothing has changed: the scenarios start the server as its users do. */
export default function build(): void {
  if (
    changedMs('dist/main.js') > Math.max(newestMs('src'), newestMs('web'), changedMs('tsconfig.build.json'))
  )
    return;
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
}
