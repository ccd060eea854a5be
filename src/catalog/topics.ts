import { topic } from '../platform/sql/index.js';
import type { ConcertRow } from './queries.js';
import type { SeatChange } from '../seating/seat-inventory.js';

/** A date's seats changed hands. */
export const seatsChanged = topic<{ readonly scheduleId: string; readonly change: SeatChange }>(
  'seats-changed',
);

/** A concert's details or sale times are others now. */
export const concertEdited = topic<Readonly<ConcertRow>>('concert-edited');
