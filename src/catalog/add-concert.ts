import { newId } from '../kernel/id.js';
import type { Tx } from '../platform/sql/index.js';
import { addSeats, type SeatLayout } from '../seating/index.js';
import type { Concert } from './concert-cache.js';
import { insertConcert, insertSchedule } from './queries.js';

export interface NewConcert extends Omit<Concert, 'id' | 'createdAtMs'> {
  readonly schedules: readonly NewDate[];
}

export type NewDate = { readonly startsAtMs: number } & SeatLayout;

export interface AddedConcert {
  readonly id: string;
  readonly schedules: readonly {
    readonly id: string;
    readonly startsAtMs: number;
    readonly seatsTotal: number;
  }[];
}

export async function addConcert(tx: Tx, concert: NewConcert): Promise<AddedConcert> {
  const id = newId();
  await addConcertRow(tx, { ...concert, id, createdAtMs: tx.nowMs });
  const schedules: AddedConcert['schedules'][number][] = [];
  for (const date of concert.schedules) {
    const scheduleId = newId();
    await tx.exec(insertSchedule, [scheduleId, id, date.startsAtMs]);
    const seatsTotal = await addSeats(tx, scheduleId, date);
    schedules.push({ id: scheduleId, startsAtMs: date.startsAtMs, seatsTotal });
  }
  return { id, schedules };
}

export async function addConcertRow(tx: Tx, concert: Concert): Promise<void> {
  await tx.exec(insertConcert, [
    concert.id,
    concert.title,
    concert.venue,
    concert.description,
    concert.currency,
    concert.salesOpenAtMs,
    concert.salesCloseAtMs,
    concert.createdAtMs,
  ]);
}
