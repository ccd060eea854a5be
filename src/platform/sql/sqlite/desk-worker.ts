/**
 * The thread of `sql.desk` on SQLite. It has its own read-only connection and answers one query at a time, so a query of
 * several seconds delays other desk queries and nothing else.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type Database from 'better-sqlite3';
import type { DeskQuery, DeskReply } from './desk.js';
import { openDatabase } from './driver.js';

const BUSY_TIMEOUT_MS = 5000;

const { file } = workerData as { readonly file: string };
const database = openDatabase(file, { readonly: true, timeout: BUSY_TIMEOUT_MS });
const statements = new Map<string, Database.Statement>();

function answer({ text, values }: DeskQuery): DeskReply {
  try {
    const prepared = statements.get(text) ?? database.prepare(text);
    statements.set(text, prepared);
    return { rows: prepared.all(values) };
  } catch (error) {
    return { error: String(error) };
  }
}

parentPort?.on('message', (query: DeskQuery) => {
  parentPort?.postMessage(answer(query));
});
