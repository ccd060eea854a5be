import type { Problem } from '../api/index.js';
import { Link } from '../app/link.js';
import { PageTitle } from '../app/page-title.js';
import { useFormat, useText } from '../i18n/index.js';
import { places } from '../session/index.js';
import { Button, Notice } from '../ui/index.js';
import { SaleEnded } from './sale-ended.js';

interface Props {
  readonly concertId: string;
  readonly problem: Problem;
  readonly onRejoin?: () => void;
}

/** Explains why a place has ended and offers to join again. */
export function PlaceEnded({ concertId, problem, onRejoin }: Props) {
  const { waiting: text } = useText();
  const format = useFormat();
  if (problem.reason === 'CLOSED') return <SaleEnded concertId={concertId} />;
  return (
    <section className="narrow stack">
      <PageTitle title={text.endedTitle}>{text.endedTitle}</PageTitle>
      <Notice tone="warn">{format.problem(problem)}</Notice>
      <div className="row">
        {onRejoin ? (
          <Button onClick={onRejoin}>{text.rejoin}</Button>
        ) : (
          // The waiting room joins the queue if there is no place.
          <Link
            className="button button-primary"
            href={`/concerts/${concertId}/waiting`}
            onClick={() => places.remove(concertId)}
          >
            {text.rejoin}
          </Link>
        )}
        <Link
          className="button button-quiet"
          href={`/concerts/${concertId}`}
          onClick={() => places.remove(concertId)}
        >
          {text.backToConcert}
        </Link>
      </div>
    </section>
  );
}
