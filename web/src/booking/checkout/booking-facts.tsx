import type { ReactNode } from 'react';
import type { Receipt, Reservation } from '../../api/index.js';
import { useFormat, useText } from '../../i18n/index.js';

interface Props {
  readonly of: Pick<Reservation | Receipt, 'concert' | 'schedule'>;
  /** Further terms and their descriptions. */
  readonly children?: ReactNode;
}

/** What a booking is for: the concert, its date in the time of the venue, and the venue. */
export function BookingFacts({ of: { concert, schedule }, children }: Props) {
  const { receipt: text } = useText();
  const format = useFormat(concert.timeZone);
  return (
    <>
      <h2>{concert.title}</h2>
      <dl className="facts">
        <dt>{text.date}</dt>
        <dd>
          <time dateTime={schedule.startsAt}>{format.date(schedule.startsAt, 'full')}</time>
        </dd>
        <dt>{text.venue}</dt>
        <dd>{concert.venue}</dd>
        {children}
      </dl>
    </>
  );
}
