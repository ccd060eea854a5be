import { type CaseGroup, onCopy } from '../bench.js';
import { userIds } from '../look-up.js';
import { measureAgainstFastify, roundOf } from '../measure.js';
import { signIn } from '../operator.js';
import { join } from '../requests.js';
import { type Server, serving } from '../servers.js';
import { accessToken } from '../tokens.js';

/** As many must be in line as were told that they are. */
async function requireWaiting(server: Server, concertId: string, count: number): Promise<void> {
  const { waiting } = await (await signIn(server)).stats(concertId);
  if (waiting !== count) throw new Error(`${count} were answered a place, and ${waiting} have one`);
}

export const joinCase: CaseGroup = {
  name: 'join',
  rows: [{ id: 'join', title: 'join, each by another user' }],
  async run(bench, fill) {
    const { data, concertId } = await bench.datasets.crowd(bench.sizes.joins);
    const ids = await userIds(data, bench.sizes.joins);
    const visits = ids.map((id) => [join(concertId, accessToken(id))]);
    await onCopy(bench, data, (copy) =>
      serving(copy, async (server) => {
        const job = { port: server.port, visits, once: true, expect: [201] };
        const { outcome, figures } = await measureAgainstFastify(bench, job);
        fill('join', roundOf(outcome, figures));
      }),
    );
  },
};

export const herdCase: CaseGroup = {
  name: 'herd',
  rows: [{ id: 'herd', title: 'a herd that joins at once, until all have a rank' }],
  async run(bench, fill) {
    const { herd, herdConnections: connections } = bench.sizes;
    const warmUp = Math.ceil(herd / 5);
    const people = Math.max(bench.sizes.joins, herd + warmUp);
    const { data, concertId, otherId } = await bench.datasets.crowd(people);
    const tokens = (await userIds(data, herd + warmUp)).map(accessToken);
    const visitsTo = (id: string, some: readonly string[]) => some.map((token) => [join(id, token)]);
    await onCopy(bench, data, (copy) =>
      serving(copy, async (server) => {
        const { port } = server;
        const common = { port, once: true, expect: [201], seconds: 120 };
        await bench.load.run({ ...common, visits: visitsTo(otherId, tokens.slice(herd)) });
        const visits = visitsTo(concertId, tokens.slice(0, herd));
        const outcome = await bench.load.run({ ...common, connections, visits });
        fill('herd', roundOf(outcome, { people: herd, seconds: outcome.seconds }));
        await requireWaiting(server, concertId, herd);
      }),
    );
  },
};
