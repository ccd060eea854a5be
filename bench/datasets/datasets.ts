import { signInAsOperator } from '../foyer/operator-client.js';
import { runCli, withServer } from '../foyer/server.js';
import { formatCount } from '../report/format-figure.js';
import type { BenchDatabase, DatabaseFactory } from './databases.js';

const DAY_SECONDS = 86_400;
/** Nothing expires during a run. */
const ACTIVE_ALL_DAY = `activeSeconds=${DAY_SECONDS}`;
const HOLD_ALL_DAY = `holdSeconds=${DAY_SECONDS}`;
const NO_ADMISSIONS = 'maxActive=0';
const CLUB = { name: 'A', rows: 5, seatsPerRow: 10, grade: 'STANDARD', price: 10_000 };
const CLUB_SEATS = CLUB.rows * CLUB.seatsPerRow;

export interface ConcertDataset {
  readonly database: BenchDatabase;
  readonly concertId: string;
}

/** Prepared databases. Each is created on first use and shared by all rounds, so a case that writes works on a copy. */
export interface Datasets {
  /** Users with charged wallets and without a place. */
  users(count: number): Promise<BenchDatabase>;
  /** A queue whose concert admits no one (`maxActive=0`). */
  queue(waiting: number): Promise<ConcertDataset>;
  /** Users and two concerts that admit no one. No user has joined yet. The other concert is for warm-up. */
  joiners(count: number): Promise<ConcertDataset & { readonly otherConcertId: string }>;
  /** One date with available seats. All fans are in the queue and admitted as soon as a server runs. */
  venue(seats: number, fans: number): Promise<ConcertDataset>;
  /** Concerts of 50 seats each, enough for all bookings, so that every fan reads a seat map of the usual size. */
  clubs(bookings: number): Promise<BenchDatabase>;
  remove(): Promise<void>;
}

export function createDatasets(databases: DatabaseFactory, log: (text: string) => void): Datasets {
  const created: BenchDatabase[] = [];

  /** Creates each size of a dataset only once. */
  function memoize<Sizes extends number[], Dataset>(
    description: string,
    create: (...sizes: Sizes) => Promise<Dataset>,
  ): (...sizes: Sizes) => Promise<Dataset> {
    const bySizes = new Map<string, Promise<Dataset>>();
    return (...sizes) => {
      const key = sizes.join();
      const existing = bySizes.get(key);
      if (existing) return existing;
      log(`  preparing dataset: ${description} ${sizes.map(formatCount).join(', ')}`);
      const dataset = create(...sizes);
      bySizes.set(key, dataset);
      return dataset;
    };
  }

  function removeLater(database: BenchDatabase): BenchDatabase {
    created.push(database);
    return database;
  }

  const users = memoize('users', async (count: number) => {
    const database = removeLater(await databases.createEmpty());
    await runCli(database.env, 'seed', '--users', String(count));
    await databases.vacuum(database);
    return database;
  });

  const queue = memoize('places in a queue', async (waiting: number) => {
    const database = removeLater(await databases.copy(await users(waiting)));
    const concertId = await seedConcert(database, CLUB_SEATS, waiting, [NO_ADMISSIONS, ACTIVE_ALL_DAY]);
    await databases.vacuum(database);
    return { database, concertId };
  });

  const joiners = memoize('users who can join', async (count: number) => {
    const database = removeLater(await databases.copy(await users(count)));
    const concertId = await seedConcert(database, CLUB_SEATS, 0, [NO_ADMISSIONS, ACTIVE_ALL_DAY]);
    const otherConcertId = await seedConcert(database, CLUB_SEATS, 0, [NO_ADMISSIONS, ACTIVE_ALL_DAY]);
    await databases.vacuum(database);
    return { database, concertId, otherConcertId };
  });

  const venue = memoize('seats and admitted fans', async (seats: number, fans: number) => {
    const database = removeLater(await databases.createEmpty());
    const policy = [`maxActive=${fans}`, ACTIVE_ALL_DAY, HOLD_ALL_DAY, 'maxSeatsPerUser=100'];
    const concertId = await seedConcert(database, seats, fans, policy, ['--users', String(fans)]);
    await databases.vacuum(database);
    return { database, concertId };
  });

  const clubs = memoize('seats in clubs', async (bookings: number) => {
    const database = removeLater(await databases.copy(await users(bookings)));
    await withServer(database, async (server) => {
      const operator = await signInAsOperator(server);
      const startsAt = new Date(Date.now() + DAY_SECONDS * 1000).toISOString();
      for (let club = 0; club * CLUB_SEATS < bookings; club += 1) {
        const schedules = [{ startsAt, sections: [CLUB] }];
        await operator.addConcert({ title: `Club ${club}`, venue: 'Bench', schedules });
      }
    });
    await databases.vacuum(database);
    return database;
  });

  return {
    users,
    queue,
    joiners,
    venue,
    clubs,
    async remove() {
      for (const database of created) await database.remove();
    },
  };
}

/** Returns the id of the concert. */
async function seedConcert(
  { env }: BenchDatabase,
  seats: number,
  waiting: number,
  policy: readonly string[],
  options: readonly string[] = [],
): Promise<string> {
  const waitingOption = waiting > 0 ? ['--waiting', String(waiting)] : [];
  const output = await runCli(env, 'seed', '--seats', String(seats), ...waitingOption, ...options);
  const concertId = /^concert (\S+)$/m.exec(output)?.[1] ?? '';
  await runCli(env, 'policy', 'set', concertId, ...policy);
  return concertId;
}
