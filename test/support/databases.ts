import { tempDirectory } from './server.js';

/** A fresh, empty database of one kind, and the settings that make a server use it. */
export interface TestDatabase {
  readonly env: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

export interface DatabaseKind {
  readonly name: string;
  create(): Promise<TestDatabase>;
}

const sqlite: DatabaseKind = {
  name: 'SQLite',
  async create() {
    const { path, remove } = await tempDirectory();
    return { env: { FOYER_DATA_DIR: path }, remove };
  },
};

/** Suites run once for each of these. */
export const DATABASES: readonly DatabaseKind[] = [sqlite];
