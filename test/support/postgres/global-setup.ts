import type { TestProject } from 'vitest/node';
import { startPostgres } from './server.js';

/** Starts one PostgreSQL server for all test files, unless FOYER_TEST_DATABASE_URL names one. */
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
    // Only tests that need PostgreSQL fail with this message.
    project.provide('postgres', { missing: error instanceof Error ? error.message : String(error) });
    return undefined;
  }
}
