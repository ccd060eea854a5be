import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { type DatabaseKind, kindsOn, type TestDatabase } from './databases.js';
import { type StartedServer, startServer } from './server.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the service that starts the shared servers. */
    foyers: string;
  }
}

interface SharedFoyer {
  readonly database: TestDatabase;
  readonly servers: readonly StartedServer[];
}

/**
 * Vitest global setup: starts servers at the first request of a worker and reuses them for its later test files. Data of
 * earlier files stays in the database.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = new Map<string, Promise<SharedFoyer>>();
  const kinds = kindsOn(project.getProvidedContext().postgres);
  const service = createServer((request, response) => {
    const name = decodeURIComponent(request.url?.slice(1) ?? '');
    const [kindName] = name.split('/');
    const kind = kinds.find((each) => each.name === kindName);
    const started = shared.get(name) ?? startAll(kind);
    shared.set(name, started);
    started.then(
      ({ servers }) => response.end(JSON.stringify(servers.map(({ url }) => url))),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  project.provide('foyers', `http://127.0.0.1:${(service.address() as AddressInfo).port}`);
  return async () => {
    service.close();
    for (const started of await Promise.allSettled(shared.values())) {
      if (started.status === 'rejected') continue;
      const { servers, database } = started.value;
      await Promise.all(servers.map((server) => server.stop()));
      await database.remove();
    }
  };
}

async function startAll(kind: DatabaseKind | undefined): Promise<SharedFoyer> {
  if (!kind) throw new Error('unknown kind of database');
  const database = await kind.create();
  const servers = await Promise.all(Array.from({ length: kind.processes }, () => startServer(database.env)));
  return { database, servers };
}

/** The URLs of this worker's shared servers. */
export async function sharedFoyer({ name }: DatabaseKind): Promise<readonly string[]> {
  const worker = process.env['VITEST_POOL_ID'] ?? '1';
  const answer = await fetch(`${inject('foyers')}/${name}/${worker}`);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as string[];
}
