import { Type } from 'typebox';
import { parse } from '../../test/support/machine/parse.js';
import { startWorker, type Worker } from '../child-processes.js';
import type { JobRequest, LoadGenerator } from '../load/load-generator.js';
import type { Sizes } from '../sizes.js';

const StartedSchema = Type.Object({ port: Type.Integer() });
const REQUEST = 'GET / HTTP/1.1\r\nhost: reference\r\n\r\n';
/** Bodies whose sizes differ by less cost the same, so they share one server. */
const SIZE_STEP_BYTES = 64;

export type ReferenceKind = 'fastify' | 'http';

/** Servers that do nothing but return a fixed body: the maximum rate of HTTP on this machine. */
export interface ReferenceServers {
  /** A job for a reference server with a body of this size, which is started and warmed up if necessary. */
  createJob(kind: ReferenceKind, bodyBytes: number): Promise<JobRequest>;
  stop(): Promise<void>;
}

export function createReferenceServers(load: LoadGenerator, sizes: Sizes): ReferenceServers {
  const started = new Map<string, { worker: Worker; port: number }>();

  async function getPort(kind: ReferenceKind, bodyBytes: number): Promise<number> {
    const size = Math.max(1, Math.round(bodyBytes / SIZE_STEP_BYTES)) * SIZE_STEP_BYTES;
    const key = `${kind} ${size}`;
    const existing = started.get(key);
    if (existing) return existing.port;
    const worker = startWorker(new URL('./reference-process.js', import.meta.url), [kind, String(size)]);
    const { port } = parse(StartedSchema, await worker.nextMessage(), 'the port of a reference server');
    started.set(key, { worker, port });
    await load.run({ port, scenarios: [[REQUEST]], seconds: sizes.warmUpSeconds });
    return port;
  }

  return {
    async createJob(kind, bodyBytes) {
      const port = await getPort(kind, bodyBytes);
      return { port, scenarios: [[REQUEST]], seconds: sizes.measureSeconds };
    },
    async stop() {
      for (const { worker } of started.values()) await worker.stop();
    },
  };
}
