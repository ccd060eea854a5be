import { readUserIds } from '../datasets/read-ids.js';
import { signInAsOperator } from '../foyer/operator-client.js';
import { join } from '../foyer/requests.js';
import { signAccessToken } from '../foyer/tokens.js';
import { measureAgainstFastify, toRound } from '../measurement/against-references.js';
import { type BenchmarkCase, withServerOnCopy } from './case.js';

const createJoins = (concertId: string, userIds: readonly string[]): string[][] =>
  userIds.map((id) => [join(concertId, signAccessToken(id))]);

export const joinCase: BenchmarkCase = {
  name: 'join',
  rows: [{ id: 'join', title: 'join, a different user each time' }],
  async run(context, record) {
    const { joins } = context.sizes;
    const { database, concertId } = await context.datasets.joiners(joins);
    const scenarios = createJoins(concertId, await readUserIds(database, joins));
    await withServerOnCopy(context, database, async ({ port }) => {
      const job = { port, scenarios, once: true, expectedStatuses: [201] };
      const { outcome, figures } = await measureAgainstFastify(context, job);
      record('join', toRound(outcome, figures));
    });
  },
};

/** A thundering herd: many users join concurrently. Every join that returned 201 must have stored a place. */
export const herdCase: BenchmarkCase = {
  name: 'herd',
  rows: [{ id: 'herd', title: 'thundering herd of joins, until all have a rank' }],
  async run(context, record) {
    const { joins, herd, herdConnections: connections } = context.sizes;
    const warmUpJoins = Math.ceil(herd / 5);
    const userCount = Math.max(joins, herd + warmUpJoins);
    const { database, concertId, otherConcertId } = await context.datasets.joiners(userCount);
    const userIds = await readUserIds(database, herd + warmUpJoins);
    const warmUpScenarios = createJoins(otherConcertId, userIds.slice(herd));
    const scenarios = createJoins(concertId, userIds.slice(0, herd));
    await withServerOnCopy(context, database, async (server) => {
      const common = { port: server.port, once: true, expectedStatuses: [201], seconds: 120 };
      await context.load.run({ ...common, scenarios: warmUpScenarios });
      const outcome = await context.load.run({ ...common, connections, scenarios });
      record('herd', toRound(outcome, { people: herd, seconds: outcome.seconds }));
      const { waiting } = await (await signInAsOperator(server)).readStats(concertId);
      if (waiting !== herd) throw new Error(`${herd} joins succeeded, but ${waiting} places are waiting`);
    });
  },
};
