import { readSeats, readUserIds, sampleQueueTokens } from '../datasets/read-ids.js';
import { signInAsOperator } from '../foyer/operator-client.js';
import { charge, hold, ID_PATTERN, pay } from '../foyer/requests.js';
import { signAccessToken } from '../foyer/tokens.js';
import { measureWrite } from '../measurement/against-references.js';
import { type BenchmarkCase, withServerOnCopy } from './case.js';

export const chargeCase: BenchmarkCase = {
  name: 'charge',
  rows: [{ id: 'charge', title: 'charge a wallet' }],
  async run(context, record) {
    const { distinctUsers } = context.sizes;
    const database = await context.datasets.users(distinctUsers);
    const scenarios = (await readUserIds(database, distinctUsers)).map((id) => [charge(signAccessToken(id))]);
    await withServerOnCopy(context, database, async ({ port }) => {
      const job = { port, scenarios, expectedStatuses: [201] };
      record('charge', await measureWrite(context, 'charge', job));
    });
  },
};

/** Each fan pays for one seat. The holds are made before the measurement. */
export const payCase: BenchmarkCase = {
  name: 'pay',
  rows: [{ id: 'pay', title: 'pay a reservation' }],
  async run(context, record) {
    const { payments } = context.sizes;
    const venue = await context.datasets.venue(payments, payments);
    const { database, concertId } = venue;
    const seats = await readSeats(database, concertId);
    const tokens = await sampleQueueTokens(venue, payments);
    const tokenAt = (index: number): string => tokens[index] ?? '';
    await withServerOnCopy(context, database, async (server) => {
      const { port } = server;
      await (await signInAsOperator(server)).waitUntilActive(concertId, payments);
      const { captured } = await context.load.run({
        port,
        scenarios: seats.map(({ scheduleId, id }, index) => [hold(scheduleId, id, tokenAt(index))]),
        once: true,
        expectedStatuses: [201],
        seconds: 120,
        captures: [{ step: 0, name: 'reservation', pattern: ID_PATTERN }],
      });
      const scenarios = captured.map(({ scenario, text }) => [pay(text, tokenAt(scenario))]);
      const job = { port, scenarios, once: true, expectedStatuses: [201] };
      record('pay', await measureWrite(context, 'pay', job));
    });
  },
};
