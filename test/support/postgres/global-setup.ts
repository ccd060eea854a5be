import type { TestProject } from 'vitest/node';
import { startPostgres } from './server.js';

/** Before all tests: one PostgreSQL server for every file, or the one that FOYER_TEST_DATABASE_URL names. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const url = process.env['FOYER_TEST_DATABASE_URL'];
  if (url !== undefined && url !== '') {
    project.provide('postgres', { url });
    return undefined;
  }
  try {
    const server = await startPostgres();
    project.provide('postgres', { url: server.url() });
    return server.stop;
  } catch (error) {
    // Said by the tests that need it: the others run without PostgreSQL.
    project.provide('postgres', { missing: error instanceof Error ? error.message : String(error) });
    return undefined;
  }
}
