import { Type } from 'typebox';
import { type Helper, startHelper } from '../children.js';
import type { Load, Request } from '../load/client.js';
import { parse } from '../../test/support/machine/parse.js';

const SpokenSchema = Type.Object({ port: Type.Integer() });
const REQUEST = 'GET / HTTP/1.1\r\nhost: reference\r\n\r\n';
/** Bodies this near to each other in size cost the same: one server does for them. */
const SIZE_STEP_BYTES = 64;

export type ReferenceKind = 'fastify' | 'http';

export interface References {
  /** What to ask of the empty server with a body of this size, started and warm, for as long as the case. */
  requestOf(kind: ReferenceKind, bytes: number): Promise<Request>;
  stop(): Promise<void>;
}

export function createReferences(load: Load, times: { warmSeconds: number; seconds: number }): References {
  const started = new Map<string, { helper: Helper; port: number }>();

  async function serverOf(kind: ReferenceKind, bytes: number): Promise<number> {
    const size = Math.max(1, Math.round(bytes / SIZE_STEP_BYTES)) * SIZE_STEP_BYTES;
    const known = started.get(`${kind} ${size}`);
    if (known) return known.port;
    const helper = startHelper(new URL('./server.js', import.meta.url), [kind, String(size)]);
    const { port } = parse(SpokenSchema, await helper.hear(), 'what the reference said');
    started.set(`${kind} ${size}`, { helper, port });
    await load.run({ port, visits: [[REQUEST]], seconds: times.warmSeconds });
    return port;
  }

  return {
    async requestOf(kind, bytes) {
      return { port: await serverOf(kind, bytes), visits: [[REQUEST]], seconds: times.seconds };
    },
    async stop() {
      for (const { helper } of started.values()) await helper.stop();
    },
  };
}
