import { signIn } from './operator.js';
import { foyer, serving } from './servers.js';
import type { Data, Store } from './store.js';

/** Longer than any run. */
const DAY = 'activeSeconds=86400';
const HOLD_DAY = 'holdSeconds=86400';
const DAY_MS = 86_400_000;
const CLUB = { name: 'A', rows: 5, seatsPerRow: 10, grade: 'STANDARD', price: 10_000 };
const CLUB_SEATS = CLUB.rows * CLUB.seatsPerRow;

export interface OfConcert {
  readonly data: Data;
  readonly concertId: string;
}

/** Sales to measure on, each made when it is first asked for and kept for the whole run. */
export interface Datasets {
  /** People with charged wallets, and nobody in line. */
  people(count: number): Promise<Data>;
  /** A line of so many, and nobody is let in. */
  line(waiting: number): Promise<OfConcert>;
  /** A shut room for a crowd that has not joined yet; two, so that a server can be warmed up in the other one. */
  crowd(count: number): Promise<OfConcert & { readonly otherId: string }>;
  /** A hall of so many seats, and so many fans who are let in as soon as it is served. */
  hall(seats: number, fans: number): Promise<OfConcert>;
  /** Clubs of fifty seats, enough for all the bookings: every fan reads a chart of the usual size. */
  clubs(bookings: number): Promise<Data>;
  remove(): Promise<void>;
}

export function createDatasets(store: Store, say: (text: string) => void): Datasets {
  const kept: Data[] = [];

  /** Makes each only once, however often it is asked for. */
  function remembered<Sizes extends number[], Made>(
    what: string,
    make: (...sizes: Sizes) => Promise<Made>,
  ): (...sizes: Sizes) => Promise<Made> {
    const known = new Map<string, Promise<Made>>();
    return (...sizes) => {
      const key = sizes.join();
      const before = known.get(key);
      if (before) return before;
      say(`  preparing ${what} ${sizes.map((size) => size.toLocaleString('en')).join(', ')}`);
      const made = make(...sizes);
      known.set(key, made);
      return made;
    };
  }

  function keep(data: Data): Data {
    kept.push(data);
    return data;
  }

  const people = remembered('people:', async (count: number) => {
    const data = keep(await store.empty());
    await foyer(data.env, 'seed', '--users', String(count));
    await store.tidy(data);
    return data;
  });

  const line = remembered('a line of', async (waiting: number) => {
    const data = keep(await store.copy(await people(waiting)));
    const concertId = await seedConcert(data, CLUB_SEATS, waiting, ['maxActive=0', DAY]);
    await store.tidy(data);
    return { data, concertId };
  });

  const crowd = remembered('a crowd of', async (count: number) => {
    const data = keep(await store.copy(await people(count)));
    const concertId = await seedConcert(data, CLUB_SEATS, 0, ['maxActive=0', DAY]);
    const otherId = await seedConcert(data, CLUB_SEATS, 0, ['maxActive=0', DAY]);
    await store.tidy(data);
    return { data, concertId, otherId };
  });

  const hall = remembered('a hall, seats and fans:', async (seats: number, fans: number) => {
    const data = keep(await store.empty());
    const policy = [`maxActive=${fans}`, DAY, HOLD_DAY, 'maxSeatsPerUser=100'];
    const concertId = await seedConcert(data, seats, fans, policy, ['--users', String(fans)]);
    await store.tidy(data);
    return { data, concertId };
  });

  const clubs = remembered('clubs for', async (bookings: number) => {
    const data = keep(await store.copy(await people(bookings)));
    await serving(data, async (server) => {
      const operator = await signIn(server);
      const startsAt = new Date(Date.now() + DAY_MS).toISOString();
      for (let club = 0; club * CLUB_SEATS < bookings; club += 1) {
        const schedules = [{ startsAt, sections: [CLUB] }];
        await operator.addConcert({ title: `Club ${club}`, venue: 'Bench', schedules });
      }
    });
    await store.tidy(data);
    return data;
  });

  return {
    people,
    line,
    crowd,
    hall,
    clubs,
    async remove() {
      for (const data of kept) await data.remove();
    },
  };
}

/** Answers the concert's id. */
async function seedConcert(
  { env }: Data,
  seats: number,
  waiting: number,
  policy: readonly string[],
  more: readonly string[] = [],
): Promise<string> {
  const line = waiting > 0 ? ['--waiting', String(waiting)] : [];
  const said = await foyer(env, 'seed', '--seats', String(seats), ...line, ...more);
  const concertId = /^concert (\S+)$/m.exec(said)?.[1] ?? '';
  await foyer(env, 'policy', 'set', concertId, ...policy);
  return concertId;
}
