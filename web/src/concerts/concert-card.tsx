import type { Concert } from '../api/index.js';
import { Link } from '../app/link.js';
import { useFormat, useText } from '../i18n/index.js';
import { Poster } from './poster/poster.js';
import { SaleTag } from './sale-tag.js';

interface Props {
  readonly concert: Concert;
  readonly tickets: number;
  readonly nowMs: number;
}

/** What a fan decides by: what, when, where and from which price. */
export function ConcertCard({ concert, tickets, nowMs }: Props) {
  const { concerts: text } = useText();
  const format = useFormat(concert.timeZone);
  const { firstStartsAt, lastStartsAt, priceFrom, currency } = concert;
  const [firstDay, lastDay] = [format.date(firstStartsAt, 'day'), format.date(lastStartsAt, 'day')];
  return (
    <li>
      <Link className="concert-card" href={`/concerts/${concert.id}`}>
        <Poster of={concert} />
        <div className="concert-card-text">
          <p className="concert-card-tags">
            <SaleTag concert={concert} nowMs={nowMs} />
            {tickets > 0 && <span className="tag tag-mine">{text.myTickets(tickets)}</span>}
          </p>
          <h2>{concert.title}</h2>
          <p className="small">
            {firstStartsAt === lastStartsAt ? (
              <time dateTime={firstStartsAt}>{format.date(firstStartsAt)}</time>
            ) : (
              <>
                <time dateTime={firstStartsAt}>{firstDay}</time>
                {lastDay !== firstDay && (
                  <>
                    {' – '}
                    <time dateTime={lastStartsAt}>{lastDay}</time>
                  </>
                )}
              </>
            )}
          </p>
          <p className="soft small">{concert.venue}</p>
          <p className="concert-card-price">{text.priceFrom(format.money(priceFrom, currency))}</p>
        </div>
      </Link>
    </li>
  );
}
