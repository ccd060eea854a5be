import { Type } from 'typebox';
import type { Deployment } from '../deployment/deployment.js';
import { COUNTED_ROWS } from './tables.js';

/** Sizes of everything that must not grow, at one moment. Memory is the sum of all processes. */
export interface Sample {
  readonly atMs: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly rows: Readonly<Record<string, number>>;
}

const Count = Type.Object({ count: Type.Integer() });

export async function takeSample({ mode, processes, tables }: Deployment): Promise<Sample> {
  const metrics = await Promise.all(
    processes.map(async ({ httpProxy }) =>
      (await fetch(`http://127.0.0.1:${httpProxy.port}/metrics`)).text(),
    ),
  );
  const sumOf = (name: string): number => metrics.reduce((sum, text) => sum + readMetric(text, name), 0);
  const rows: Record<string, number> = {};
  for (const { name, from, modes } of COUNTED_ROWS) {
    if (!modes.includes(mode)) continue;
    const [counted] = await tables.rows(Count, `SELECT count(*) AS count FROM ${from}`);
    rows[name] = counted?.count ?? 0;
  }
  return {
    atMs: Date.now(),
    residentBytes: sumOf('process_resident_memory_bytes'),
    heapBytes: sumOf('nodejs_heap_size_used_bytes'),
    rows,
  };
}

function readMetric(text: string, name: string): number {
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`There is no metric ${name}.`);
  return Number(value);
}
