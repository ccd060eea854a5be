import { guard } from '../kernel/guard.js';
import { newId } from '../kernel/id.js';
import { Refusal } from '../kernel/refusal.js';
import { MINUTE_MS } from '../kernel/time.js';
import type { Sql, Tx } from '../platform/sql/index.js';
import { addSeats, type SeatLayout, summarizeSections, totalOf, type WriteSeats } from '../seating/index.js';
import { type Concert, saleClosesAtMs } from './concert-cache.js';
import { completeConcert, insertConcert, insertSchedule } from './queries.js';

/**
 * Half a million seats in one transaction would stop a running sale for seconds. A concert is therefore built in steps:
 * its row and its dates (BUILDING: invisible), then its seats, a batch per transaction, and at last the transaction
 * that makes it a DRAFT or PUBLISHED, and that also answers the request. A build that does not get there is deleted:
 * see purge-builds.ts.
 */
export interface ConcertBuild {
  readonly added: AddedConcert;
  begin(tx: Tx): Promise<void>;
  /** Every batch is for a transaction of its own. */
  seatBatches(): Iterable<WriteSeats>;
  complete(tx: Tx): Promise<void>;
}

export interface NewConcert extends Omit<Concert, 'id' | 'createdAtMs' | 'lastStartsAtMs' | 'poster'> {
  readonly state: 'DRAFT' | 'PUBLISHED';
  readonly schedules: readonly NewDate[];
}

export type NewDate = { readonly startsAtMs: number } & SeatLayout;

export interface AddedConcert {
  readonly id: string;
  /** When its sale closes. */
  readonly closesAtMs: number;
  readonly schedules: readonly {
    readonly id: string;
    readonly startsAtMs: number;
    readonly seatsTotal: number;
  }[];
}

/** A date of a build. */
export interface PlannedDate {
  readonly id: string;
  readonly startsAtMs: number;
  readonly seatsTotal: number;
  /** JSON of `SectionSummary[]`. */
  readonly sections: string;
  readonly seatBatches: () => Iterable<WriteSeats>;
}

/**
 * A build that takes longer is refused: half a million seats take about a minute on a busy machine. Load balancers and pages
 * must wait longer than this for the response.
 */
export const BUILD_WRITE_MAX_MS = 5 * MINUTE_MS;
/** Older builds are deleted: they were refused, or their process was killed. */
export const BUILD_MAX_MS = 2 * BUILD_WRITE_MAX_MS;

export function planConcert({ schedules, ...concert }: NewConcert): ConcertBuild {
  const dates = schedules.map((date): PlannedDate => {
    const id = newId();
    const sections = summarizeSections(date);
    return {
      id,
      startsAtMs: date.startsAtMs,
      seatsTotal: totalOf(sections),
      sections: JSON.stringify(sections),
      seatBatches: () => addSeats(id, date),
    };
  });
  return planBuild({ ...concert, id: newId() }, dates);
}

export function planBuild(
  concert: Omit<Concert, 'createdAtMs' | 'lastStartsAtMs' | 'poster'>,
  dates: readonly PlannedDate[],
  addPoster: (tx: Tx) => Promise<void> = () => Promise.resolve(),
): ConcertBuild {
  const { id } = concert;
  const lastStartsAtMs = Math.max(...dates.map(({ startsAtMs }) => startsAtMs));
  return {
    added: {
      id,
      closesAtMs: saleClosesAtMs({ ...concert, lastStartsAtMs }),
      schedules: dates.map(({ id: dateId, startsAtMs, seatsTotal }) => ({
        id: dateId,
        startsAtMs,
        seatsTotal,
      })),
    },
    async begin(tx) {
      const { title, venue, description, currency, timeZone, salesOpenAtMs, salesCloseAtMs } = concert;
      const { runningMinutes, minAge, refundRules } = concert;
      await tx.exec(insertConcert, [
        id,
        title,
        venue,
        description,
        currency,
        salesOpenAtMs,
        salesCloseAtMs,
        tx.nowMs,
        timeZone,
        runningMinutes,
        minAge,
        refundRules,
      ]);
      await addPoster(tx);
      for (const { id: dateId, startsAtMs, seatsTotal, sections } of dates)
        await tx.exec(insertSchedule, [dateId, id, startsAtMs, seatsTotal, sections]);
    },
    *seatBatches() {
      for (const date of dates) yield* date.seatBatches();
    },
    async complete(tx) {
      const completed = await tx.exec(completeConcert, [id, concert.state]);
      // It took too long and is being deleted. Nobody has seen it.
      if (guard('build-complete', completed === 0)) throw new Refusal('UNAVAILABLE');
    },
  };
}

/** Runs everything but `complete`, which belongs into the transaction that answers. Other requests run between the batches. */
export async function writeBuild(sql: Sql, build: ConcertBuild): Promise<void> {
  const endMs = sql.nowMs() + BUILD_WRITE_MAX_MS;
  await sql.transaction((tx) => build.begin(tx));
  for (const writeSeats of build.seatBatches()) {
    if (sql.nowMs() > endMs) throw new Refusal('UNAVAILABLE');
    await sql.transaction(writeSeats);
  }
}

/** For an installation that sells nothing yet: everything in one transaction. */
export async function buildInOneTransaction(tx: Tx, build: ConcertBuild): Promise<AddedConcert> {
  await build.begin(tx);
  for (const writeSeats of build.seatBatches()) await writeSeats(tx);
  await build.complete(tx);
  return build.added;
}
