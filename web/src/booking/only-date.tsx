import { useEffect } from 'react';
import type { Schedule } from '../api/index.js';
import { navigate } from '../app/router.js';
import { Spinner } from '../ui/index.js';

/** The date of a concert that has only one, if seats are left: there is nothing to choose. */
export function onlyDateOf(dates: readonly Schedule[] | undefined): Schedule | undefined {
  const [date, another] = dates ?? [];
  return date && !another && !date.soldOut && date.seatsRemaining > 0 ? date : undefined;
}

/** Goes straight to the seats. "Back" leads to the page before the list of dates. */
export function OnlyDate({ date: { concertId, id } }: { readonly date: Schedule }) {
  useEffect(() => navigate(`/concerts/${concertId}/dates/${id}`, { replace: true }), [concertId, id]);
  return <Spinner />;
}
