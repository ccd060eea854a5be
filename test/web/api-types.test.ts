import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('the pages know the API as openapi.json describes it (npm run web:types writes it anew)', () => {
  const check = (): Buffer =>
    execFileSync(
      'npx',
      ['openapi-typescript', 'openapi.json', '--output', 'web/src/api/schema.d.ts', '--check'],
      {
        stdio: 'pipe',
      },
    );
  expect(check).not.toThrow();
});
