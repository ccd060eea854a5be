import type { ReactNode } from 'react';

interface Props {
  /** Of the concert; missing until it has loaded. */
  readonly title: string | undefined;
  /** The number in line, or the seats. */
  readonly children: ReactNode;
  /** Shown before the title of the concert. */
  readonly note?: string;
  /** The time left. */
  readonly time?: ReactNode;
  readonly actions: ReactNode;
}

/** One row of the bar, about one concert. */
export function BarRow({ title, children, note, time, actions }: Props) {
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
