import { type ConcertState, concertStateAt } from './concert-state.js';
import type { OperatorConcert } from './operator-api.js';

/** Which concerts are listed. Empty texts filter nothing. */
export interface ConcertFilter {
  readonly search: string;
  readonly state: ConcertState | '';
  /** Days at the venue, such as `2026-11-20`. */
  readonly from: string;
  readonly to: string;
}

export const NO_FILTER: ConcertFilter = { search: '', state: '', from: '', to: '' };

const matchesSearch = ({ title, venue }: OperatorConcert, search: string): boolean =>
  `${title} ${venue}`.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase());

/** The day at the venue as `2026-11-20`. Swedish writes dates like ISO 8601. */
const dayOf = (at: string, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date(at));

/** Whether a concert takes place within the days of the filter. */
function isWithin(concert: OperatorConcert, { from, to }: ConcertFilter): boolean {
  const { firstStartsAt, lastStartsAt, timeZone } = concert;
  if (from !== '' && dayOf(lastStartsAt, timeZone) < from) return false;
  return to === '' || dayOf(firstStartsAt, timeZone) <= to;
}

export const matchesFilter = (concert: OperatorConcert, filter: ConcertFilter, nowMs: number): boolean =>
  matchesSearch(concert, filter.search) &&
  (filter.state === '' || concertStateAt(concert, nowMs) === filter.state) &&
  isWithin(concert, filter);
