import { readSeats, sampleQueueTokens, type Seat } from '../datasets/read-ids.js';
import { signInAsOperator } from '../foyer/operator-client.js';
import { hold, poll } from '../foyer/requests.js';
import type { FoyerServer } from '../foyer/server.js';
import { measureWrite, toRound } from '../measurement/against-references.js';
import { type BenchmarkCase, type CaseContext, withServerOnCopy } from './case.js';

/** Serves a fresh venue whose seats are all available and whose fans are all admitted. */
async function withAdmittedFans(
  context: CaseContext,
  seatCount: number,
  fanCount: number,
  work: (server: FoyerServer, seats: readonly Seat[], tokens: readonly string[]) => Promise<void>,
): Promise<void> {
  const venue = await context.datasets.venue(seatCount, fanCount);
  const { database, concertId } = venue;
  const seats = await readSeats(database, concertId);
  const tokens = await sampleQueueTokens(venue, fanCount);
  await withServerOnCopy(context, database, async (server) => {
    await (await signInAsOperator(server)).waitUntilActive(concertId, fanCount);
    // A fan who holds has polled before, so the server has already verified and cached the token.
    await context.load.run({
      port: server.port,
      scenarios: tokens.map((token) => [poll(token)]),
      once: true,
      seconds: 60,
    });
    await work(server, seats, tokens);
  });
}

export const holdCase: BenchmarkCase = {
  name: 'hold',
  rows: [{ id: 'hold', title: 'hold, a different seat each time' }],
  async run(context, record) {
    const { holds } = context.sizes;
    await withAdmittedFans(context, holds, Math.ceil(holds / 4), async ({ port }, seats, tokens) => {
      const scenarios = seats.map(({ scheduleId, id }, index) => [
        hold(scheduleId, id, tokens[index % tokens.length] ?? ''),
      ]);
      const job = { port, scenarios, once: true, expectedStatuses: [201] };
      record('hold', await measureWrite(context, 'hold', job));
    });
  },
};

/** All contenders request the same seat concurrently, one seat after the other. Exactly one of them must get each seat. */
export const oneSeatCase = (contenders: number): BenchmarkCase => ({
  name: 'one-seat',
  rows: [{ id: 'one-seat', title: `${contenders} concurrent holds of one seat` }],
  async run(context, record) {
    const { contestedSeats } = context.sizes;
    const warmUpSeats = 1;
    const seatCount = contestedSeats + warmUpSeats;
    await withAdmittedFans(context, seatCount, contenders, async ({ port }, seats, tokens) => {
      const requestAll = (some: readonly Seat[]) =>
        some.flatMap(({ scheduleId, id }) => tokens.map((token) => [hold(scheduleId, id, token)]));
      const common = {
        port,
        once: true,
        expectedStatuses: [201, 409],
        connections: contenders,
        seconds: 60,
      };
      await context.load.run({ ...common, scenarios: requestAll(seats.slice(0, warmUpSeats)) });
      const outcome = await context.load.run({ ...common, scenarios: requestAll(seats.slice(warmUpSeats)) });
      const winners = outcome.statuses['201'] ?? 0;
      if (winners !== contestedSeats)
        throw new Error(`${winners} holds succeeded on ${contestedSeats} seats`);
      record('one-seat', toRound(outcome, { seatSeconds: outcome.seconds / contestedSeats }));
    });
  },
});
