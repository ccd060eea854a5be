import type { Static, TSchema } from 'typebox';
import type { PostgresServer } from '../../test/support/postgres/index.js';
import type { HttpClient } from '../http-client.js';
import type { FoyerProcess } from './foyer-process.js';

/** Settings of every process. The rate limits are on, one of them so low that fans reach it even on a slow machine. */
export const COMMON_ENV = { FOYER_RATE_LIMITS: 'on', FOYER_LIMIT_JOIN_ACCOUNT: '10/0.5' } as const;

export type Mode = 'embedded' | 'cluster';

/** Direct access to the database, bypassing Foyer. */
export interface Tables {
  rows<Schema extends TSchema>(schema: Schema, sql: string): Promise<Static<Schema>[]>;
  run(sql: string): Promise<void>;
}

/** One Foyer installation under test, with a handle on every part that faults are injected into. */
export interface Deployment {
  readonly mode: Mode;
  readonly processes: readonly FoyerProcess[];
  /** One per process, in the same order. */
  readonly clients: readonly HttpClient[];
  readonly tables: Tables;
  /** Deadlocks that the database has ended since it started or crashed. Always 0 on SQLite: one transaction at a time. */
  countDeadlocks(): Promise<number>;
  /** Only in cluster mode. */
  readonly postgres: PostgresServer | undefined;
  /** Only in embedded mode. */
  readonly disk: Disk | undefined;
  /** Environment variables that make a process see a clock with this offset. */
  clockSkewEnv(offsetMs: number): Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** The disk that an embedded Foyer stores its data on. */
export interface Disk {
  /** Undefined when this machine cannot mount a disk of limited size. */
  readonly fill: (() => Promise<void>) | undefined;
  free(): Promise<void>;
  /** Delays every commit from now on. */
  setCommitDelay(ms: number): Promise<void>;
}
