import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: [
      'test/support/build.ts',
      'test/support/postgres/global-setup.ts',
      'test/support/shared-foyers.ts',
    ],
    pool: 'forks',
    // Many tests wait for time to pass: two cores have enough to do with three.
    maxWorkers: 3,
    // These only end what hangs: a busy machine may take several times as long as a quiet one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
    globals: false,
    allowOnly: false,
    passWithNoTests: false,
    // .ci/run makes its closing line from the JSON.
    reporters: process.env['CI'] ? ['default', 'json'] : ['default'],
    outputFile: { json: 'test-results/vitest.json' },
  },
});
