import { api, type Schedule } from '../api/index.js';
import { Link } from '../app/link.js';
import { PageTitle } from '../app/page-title.js';
import { useFormat, useText, VenueZone } from '../i18n/index.js';
import { Loading, Notice, Spinner, useVisibleInterval, useLoaded } from '../ui/index.js';
import { GradesLeft } from './grades-left.js';
import { OnlyDate, onlyDateOf } from './only-date.js';
import { RequireAdmission } from './require-admission.js';

const REFRESH_MS = 5000;
/** Below this share of free seats, a date is tagged as almost sold out. */
const FEW_LEFT_SHARE = 0.1;

export function DatesPage({ id }: { readonly id: string }) {
  return <RequireAdmission concertId={id}>{(token) => <Dates id={id} token={token} />}</RequireAdmission>;
}

function Dates({ id, token }: { readonly id: string; readonly token: string }) {
  const { dates: text } = useText();
  const dates = useLoaded(`dates ${id}`, (signal) =>
    api.get('/concerts/{id}/schedules', { params: { id }, query: { all: 'true' }, token, signal }),
  );
  const concert = useLoaded(`concert ${id}`, (signal) =>
    api.get('/concerts/{id}', { params: { id }, signal }),
  );
  useVisibleInterval(REFRESH_MS, dates.reload);
  const onlyDate = onlyDateOf(dates.value?.items);
  if (onlyDate) return <OnlyDate date={onlyDate} />;
  // No heading before it is known whether there is something to choose.
  if (dates.isLoading && !dates.value) return <Spinner />;
  return (
    <section className="narrow stack">
      <PageTitle title={text.title}>{text.title}</PageTitle>
      <Loading of={concert}>
        {({ timeZone }) => (
          <VenueZone value={timeZone}>
            <Loading of={dates}>
              {({ items }) =>
                items.length === 0 ? (
                  <Notice>{text.none}</Notice>
                ) : (
                  <ul className="stack">
                    {items.map((date) => (
                      <li key={date.id}>
                        <DateCard date={date} />
                      </li>
                    ))}
                  </ul>
                )
              }
            </Loading>
          </VenueZone>
        )}
      </Loading>
      <p className="soft small">{text.updated}</p>
    </section>
  );
}

function DateCard({ date }: { readonly date: Schedule }) {
  const { dates: text } = useText();
  const format = useFormat();
  const { seatsRemaining, seatsTotal } = date;
  const remaining = text.remaining(format.number(seatsRemaining), format.number(seatsTotal));
  const isFew = seatsRemaining > 0 && seatsRemaining < seatsTotal * FEW_LEFT_SHARE;
  return (
    <div className="card date-card">
      <div className="date-card-text">
        <h2>
          <time dateTime={date.startsAt}>{format.date(date.startsAt, 'full')}</time>
        </h2>
        <p className="row">
          <span className="soft">{remaining}</span>
          {date.soldOut && <span className="tag tag-bad">{text.soldOut}</span>}
          {seatsRemaining === 0 && !date.soldOut && <span className="tag tag-warn">{text.allHeld}</span>}
          {isFew && <span className="tag tag-warn">{text.fewLeft}</span>}
        </p>
        <meter
          className="seats-meter"
          min={0}
          max={seatsTotal}
          value={seatsRemaining}
          aria-label={remaining}
        />
        <GradesLeft grades={date.grades} />
      </div>
      {!date.soldOut && (
        <Link className="button button-primary" href={`/concerts/${date.concertId}/dates/${date.id}`}>
          {text.choose}
        </Link>
      )}
    </div>
  );
}
