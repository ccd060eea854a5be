import { inject } from 'vitest';
import { createDatabaseAt } from './postgres/psql.js';
import type { SharedPostgres } from './postgres/shared.js';
import { tempDirectory } from './server.js';

/** A new, empty database and the settings that make a server use it. */
export interface TestDatabase {
  readonly env: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

export interface DatabaseKind {
  readonly name: string;
  /** How many servers use it; consecutive requests go to different ones. */
  readonly processes: number;
  create(): Promise<TestDatabase>;
}

export const sqlite: DatabaseKind = {
  name: 'SQLite',
  processes: 1,
  async create() {
    const { path, remove } = await tempDirectory();
    return { env: { FOYER_DATA_DIR: path }, remove };
  },
};

const postgresAt = (server: () => SharedPostgres): DatabaseKind => ({
  name: 'PostgreSQL',
  processes: 2,
  async create() {
    const shared = server();
    if ('missing' in shared) throw new Error(shared.missing);
    const { url, drop } = await createDatabaseAt(shared.url);
    return { env: { DATABASE_URL: url, FOYER_DATABASE_CONNECTIONS: '8' }, remove: drop };
  },
});

export const postgres: DatabaseKind = postgresAt(() => inject('postgres'));

/** A suite runs once for each of these. */
export const DATABASES: readonly DatabaseKind[] = [sqlite, postgres];

/** The same for code outside a test, which must pass the PostgreSQL server. */
export const kindsOn = (server: SharedPostgres): readonly DatabaseKind[] => [
  sqlite,
  postgresAt(() => server),
];
