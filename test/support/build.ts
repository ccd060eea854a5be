import { execFileSync } from 'node:child_process';

/** Builds `dist/` once before all tests: the scenarios start the server as its users do. */
export default function build(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
}
