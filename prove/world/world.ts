import type { Static, TSchema } from 'typebox';
import type { PostgresServer } from '../../test/support/postgres/index.js';
import type { Door } from '../door.js';
import type { Process } from './process.js';

export type Mode = 'embedded' | 'cluster';

/** The data itself, past every Foyer. */
export interface Tables {
  rows<Schema extends TSchema>(schema: Schema, sql: string): Promise<Static<Schema>[]>;
  run(sql: string): Promise<void>;
}

/** A started Foyer with everything that can be broken about it. */
export interface World {
  readonly mode: Mode;
  readonly processes: readonly Process[];
  readonly doors: readonly Door[];
  readonly tables: Tables;
  readonly postgres: PostgresServer | undefined;
  readonly disk: Disk | undefined;
  /** Settings for a process whose clock is wrong by so much. */
  wrongClock(offMs: number): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Where an embedded Foyer keeps its data. */
export interface Disk {
  /** Undefined when no disk of limited size can be had here. */
  readonly fill: (() => Promise<void>) | undefined;
  free(): Promise<void>;
  /** Every commit takes so much longer, until told otherwise. */
  stall(ms: number): Promise<void>;
}
