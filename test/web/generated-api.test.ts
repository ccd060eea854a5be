import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('the generated types and limits match openapi.json (npm run web:types updates them)', () => {
  const check = (): Buffer =>
    execFileSync(process.execPath, ['scripts/web-types.mjs', '--check'], { stdio: 'pipe' });
  expect(check).not.toThrow();
});
