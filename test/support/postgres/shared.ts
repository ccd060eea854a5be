import { inject } from 'vitest';
import { createDatabaseAt, type TemporaryDatabase } from './psql.js';

/** What global-setup.ts provides to the tests: the shared server, or why there is none. */
export type SharedPostgres = { readonly url: string } | { readonly missing: string };

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: SharedPostgres;
  }
}

/** Creates an empty database on the server that all test files share. */
export async function createTestDatabase(): Promise<TemporaryDatabase> {
  const shared = inject('postgres');
  if ('missing' in shared) throw new Error(shared.missing);
  return createDatabaseAt(shared.url);
}
