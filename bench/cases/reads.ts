import { Absent, type Bench, type CaseGroup } from '../bench.js';
import type { OfConcert } from '../datasets.js';
import { placesOf, seatsOf } from '../look-up.js';
import { measureAgainstFastify, roundOf } from '../measure.js';
import { signIn } from '../operator.js';
import { dates, seats, state } from '../requests.js';
import type { Round } from '../result.js';
import { serving } from '../servers.js';
import { queueToken } from '../tokens.js';

const FANS = 64;
const CLUB_SEATS = 50;
const ARENA_SEATS = 12_000;
const STADIUM_SEATS = 50_000;

/** Reads what only those inside may read, by 64 of them. */
async function measureRead(
  bench: Bench,
  inside: OfConcert,
  request: (inside: { concertId: string; scheduleId: string }, token: string) => string,
  more: { path?: (scheduleId: string) => string } = {},
): Promise<Round> {
  const { data, concertId } = inside;
  const tokens = (await placesOf(inside, FANS)).map((place) => queueToken(concertId, place));
  const [seat] = await seatsOf(data, concertId);
  const scheduleId = seat?.scheduleId ?? '';
  return serving(data, async (server) => {
    await (await signIn(server)).untilActive(concertId, FANS);
    if (more.path) await requireThere(`${server.url}/api/v1${more.path(scheduleId)}`, tokens[0] ?? '');
    const visits = tokens.map((token) => [request({ concertId, scheduleId }, token)]);
    const { outcome, figures } = await measureAgainstFastify(bench, { port: server.port, visits });
    return roundOf(outcome, { ...figures, wireBytes: outcome.wireBytes });
  });
}

async function requireThere(url: string, token: string): Promise<void> {
  const { status } = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (status === 404) throw new Absent('not there: this server has no such call');
}

export const datesCase: CaseGroup = {
  name: 'dates',
  rows: [{ id: 'dates', title: 'dates of a concert' }],
  async run(bench, fill) {
    const club = await bench.datasets.hall(CLUB_SEATS, FANS);
    fill('dates', await measureRead(bench, club, ({ concertId }, token) => dates(concertId, token)));
  },
};

const seatsCase = (count: number): CaseGroup => ({
  name: `seats-${count}`,
  rows: [{ id: `seats-${count}`, title: `seats of a date, ${count.toLocaleString('en')} of them` }],
  async run(bench, fill) {
    const inside = await bench.datasets.hall(count, FANS);
    fill(
      `seats-${count}`,
      await measureRead(bench, inside, ({ scheduleId }, token) => seats(scheduleId, token)),
    );
  },
});

export const seatsCases = [seatsCase(CLUB_SEATS), seatsCase(ARENA_SEATS)];

export const stateCase: CaseGroup = {
  name: 'state',
  rows: [{ id: 'state', title: `state of ${STADIUM_SEATS.toLocaleString('en')} seats` }],
  async run(bench, fill) {
    const stadium = await bench.datasets.hall(STADIUM_SEATS, FANS);
    const request = ({ scheduleId }: { scheduleId: string }, token: string): string =>
      state(scheduleId, token);
    const path = (scheduleId: string): string => `/schedules/${scheduleId}/state`;
    fill('state', await measureRead(bench, stadium, request, { path }));
  },
};
