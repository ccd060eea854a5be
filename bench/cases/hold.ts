import { type Bench, type CaseGroup, onCopy } from '../bench.js';
import { placesOf, type Seat, seatsOf } from '../look-up.js';
import { againstPgbench, measureAgainstFastify, perSecond, roundOf } from '../measure.js';
import { signIn } from '../operator.js';
import { hold, poll } from '../requests.js';
import { type Server, serving } from '../servers.js';
import { queueToken } from '../tokens.js';

/** Fans who are inside, in front of free seats; everything is fresh. */
async function inside(
  bench: Bench,
  seatCount: number,
  fans: number,
  work: (server: Server, seats: readonly Seat[], tokens: readonly string[]) => Promise<void>,
): Promise<void> {
  const prepared = await bench.datasets.hall(seatCount, fans);
  const { data, concertId } = prepared;
  const seats = await seatsOf(data, concertId);
  const tokens = (await placesOf(prepared, fans)).map((place) => queueToken(concertId, place));
  await onCopy(bench, data, (copy) =>
    serving(copy, async (server) => {
      await (await signIn(server)).untilActive(concertId, fans);
      // Whoever is inside has polled before, and their token is known.
      await bench.load.run({
        port: server.port,
        visits: tokens.map((token) => [poll(token)]),
        once: true,
        seconds: 60,
      });
      await work(server, seats, tokens);
    }),
  );
}

const tokenAt = (tokens: readonly string[], index: number): string => tokens[index % tokens.length] ?? '';

/** Every hold is answered only once it is on disk. */
export const holdCase: CaseGroup = {
  name: 'hold',
  rows: [{ id: 'hold', title: 'hold, each another seat' }],
  async run(bench, fill) {
    const { holds } = bench.sizes;
    await inside(bench, holds, Math.ceil(holds / 4), async ({ port }, seats, tokens) => {
      const visits = seats.map(({ scheduleId, id }, index) => [hold(scheduleId, id, tokenAt(tokens, index))]);
      const { outcome, figures } = await measureAgainstFastify(bench, {
        port,
        visits,
        once: true,
        expect: [201],
      });
      const ofPgbench = await againstPgbench(bench, 'hold', perSecond(outcome));
      fill('hold', roundOf(outcome, { ...figures, ...ofPgbench }));
    });
  },
};

/** Everybody wants the same seat at the same time; one gets it, and the others are told so. */
export const oneSeatCase = (rivals: number): CaseGroup => ({
  name: 'one-seat',
  rows: [{ id: 'one-seat', title: `${rivals} for one seat, all connected at once` }],
  async run(bench, fill) {
    const { contestedSeats } = bench.sizes;
    const warmUpSeats = 1;
    await inside(bench, contestedSeats + warmUpSeats, rivals, async ({ port }, seats, tokens) => {
      const rush = (some: readonly Seat[]) =>
        some.flatMap(({ scheduleId, id }) => tokens.map((token) => [hold(scheduleId, id, token)]));
      const common = { port, once: true, expect: [201, 409], connections: rivals, seconds: 60 };
      await bench.load.run({ ...common, visits: rush(seats.slice(0, warmUpSeats)) });
      const outcome = await bench.load.run({ ...common, visits: rush(seats.slice(warmUpSeats)) });
      const winners = outcome.statuses['201'];
      if (winners !== contestedSeats) throw new Error(`${contestedSeats} seats had ${winners ?? 0} winners`);
      fill('one-seat', roundOf(outcome, { seatSeconds: outcome.seconds / contestedSeats }));
    });
  },
});
