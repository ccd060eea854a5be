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
    // Many tests wait for timers, so four workers keep two cores busy.
    maxWorkers: 4,
    // Long, because these limits only catch tests that hang: a busy machine may be several times slower than an idle one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
    globals: false,
    allowOnly: false,
    passWithNoTests: false,
    // scripts/test-summary.mjs reads the JSON.
    reporters: process.env['CI'] ? ['default', 'json'] : ['default'],
    outputFile: { json: 'test-results/vitest.json' },
  },
});
