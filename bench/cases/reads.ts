import type { ConcertDataset } from '../datasets/datasets.js';
import { readSeats, sampleQueueTokens } from '../datasets/read-ids.js';
import { signInAsOperator } from '../foyer/operator-client.js';
import { dates, hold, seats, state, statePath } from '../foyer/requests.js';
import { type FoyerServer, withServer } from '../foyer/server.js';
import { measureAgainstFastify, toRound } from '../measurement/against-references.js';
import { formatCount } from '../report/format-figure.js';
import type { Round } from '../result.js';
import { type BenchmarkCase, type CaseContext, CaseSkipped, withServerOnCopy } from './case.js';

const FANS = 64;
const CLUB_SEATS = 50;
const ARENA_SEATS = 12_000;
const STADIUM_SEATS = 50_000;

/** Measures a request that only admitted fans may send, sent by 64 of them. */
async function measureRead(
  context: CaseContext,
  venue: ConcertDataset,
  createRequest: (token: string, scheduleId: string) => string,
  checkServer?: (server: FoyerServer, token: string, scheduleId: string) => Promise<void>,
): Promise<Round> {
  const { database, concertId } = venue;
  const tokens = await sampleQueueTokens(venue, FANS);
  const [seat] = await readSeats(database, concertId);
  const scheduleId = seat?.scheduleId ?? '';
  return withServer(database, async (server) => {
    await (await signInAsOperator(server)).waitUntilActive(concertId, FANS);
    await checkServer?.(server, tokens[0] ?? '', scheduleId);
    const scenarios = tokens.map((token) => [createRequest(token, scheduleId)]);
    const { outcome, figures } = await measureAgainstFastify(context, { port: server.port, scenarios });
    return toRound(outcome, { ...figures, wireBytes: outcome.wireBytes });
  });
}

export const datesCase: BenchmarkCase = {
  name: 'dates',
  rows: [{ id: 'dates', title: 'dates of a concert' }],
  async run(context, record) {
    const club = await context.datasets.venue(CLUB_SEATS, FANS);
    record('dates', await measureRead(context, club, (token) => dates(club.concertId, token)));
  },
};

const seatsCase = (seatCount: number): BenchmarkCase => {
  const id = `seats-${seatCount}`;
  return {
    name: id,
    rows: [{ id, title: `seats of a date with ${formatCount(seatCount)} seats` }],
    async run(context, record) {
      const venue = await context.datasets.venue(seatCount, FANS);
      record(id, await measureRead(context, venue, (token, scheduleId) => seats(scheduleId, token)));
    },
  };
};

export const seatsCases = [seatsCase(CLUB_SEATS), seatsCase(ARENA_SEATS)];

const LISTS_PER_HOLD = 9;
/** Each hold changes a seat; the policy of the dataset allows this many per fan. */
const HOLDS_PER_FAN = 100;

/** A rush: after every hold, the cached list is stale. */
export const seatsInRushCase: BenchmarkCase = {
  name: 'seats-rush',
  rows: [
    {
      id: 'seats-rush',
      title: `a hold and ${LISTS_PER_HOLD} seat lists of a date with ${formatCount(ARENA_SEATS)} seats`,
    },
  ],
  async run(context, record) {
    const { database, concertId } = await context.datasets.venue(ARENA_SEATS, FANS);
    const tokens = await sampleQueueTokens({ database, concertId }, FANS);
    const venueSeats = (await readSeats(database, concertId)).slice(0, FANS * HOLDS_PER_FAN);
    await withServerOnCopy(context, database, async (server) => {
      await (await signInAsOperator(server)).waitUntilActive(concertId, FANS);
      const scenarios = venueSeats.map(({ scheduleId, id }, index) => {
        const token = tokens[index % tokens.length] ?? '';
        const lists = Array.from({ length: LISTS_PER_HOLD }, () => seats(scheduleId, token));
        return [hold(scheduleId, id, token), ...lists];
      });
      const job = { port: server.port, scenarios, once: true, expectedStatuses: [200, 201] };
      const { outcome, figures } = await measureAgainstFastify(context, job);
      record('seats-rush', toRound(outcome, figures));
    });
  },
};

/** Lets the benchmark run on a version of Foyer that lacks the endpoint. */
async function requireStateEndpoint({ url }: FoyerServer, token: string, scheduleId: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const { status } = await fetch(`${url}/api/v1${statePath(scheduleId)}`, { headers });
  if (status === 404) throw new CaseSkipped('this server has no such endpoint');
}

export const stateCase: BenchmarkCase = {
  name: 'state',
  rows: [{ id: 'state', title: `state of ${formatCount(STADIUM_SEATS)} seats` }],
  async run(context, record) {
    const stadium = await context.datasets.venue(STADIUM_SEATS, FANS);
    const createRequest = (token: string, scheduleId: string): string => state(scheduleId, token);
    record('state', await measureRead(context, stadium, createRequest, requireStateEndpoint));
  },
};
