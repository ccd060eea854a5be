import type { ReactNode } from 'react';
import { api } from '../api/index.js';
import { useLoaded } from '../ui/index.js';

interface Props {
  readonly concertId: string;
  /** The number in line, or the seats. */
  readonly children: ReactNode;
  /** Shown before the title of the concert. */
  readonly note?: string;
  /** The time left. */
  readonly time?: ReactNode;
  readonly actions: ReactNode;
}

/** One row of the bar, about one concert. */
export function BarRow({ concertId, children, note, time, actions }: Props) {
  const concert = useLoaded(`concert ${concertId}`, (signal) =>
    api.get('/concerts/{id}', { params: { id: concertId }, signal }),
  );
  const title = concert.value?.title;
  return (
    <section className="place-bar" aria-label={title}>
      <div className="place-bar-inner">
        <div className="place-bar-text">
          <p className="place-bar-main">{children}</p>
          <p className="place-bar-title">{[note, title].filter(Boolean).join(' · ')}</p>
        </div>
        {time}
        <div className="place-bar-actions">{actions}</div>
      </div>
    </section>
  );
}
