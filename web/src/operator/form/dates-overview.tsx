import { useFormat } from '../../i18n/index.js';
import type { DeskConcertWithDates } from '../desk.js';
import { useOperatorText } from '../texts/index.js';

/** The dates with their seats as they are sold. */
export function DatesOverview({ concert }: { readonly concert: DeskConcertWithDates }) {
  const { desk, form } = useOperatorText();
  const format = useFormat();
  return (
    <section className="stack-small">
      <h2>{form.dates}</h2>
      <ul className="op-date-cards">
        {concert.schedules.map((date) => (
          <li key={date.id} className="card">
            <h3>{format.date(date.startsAt, 'full')}</h3>
            <p className="soft small">
              {desk.sold(
                format.number(date.seatsTotal - date.seatsRemaining),
                format.number(date.seatsTotal),
              )}
            </p>
            <ul className="op-grades">
              {date.sections.map(({ name, grade, price, seats }) => (
                <li key={`${name} ${grade} ${price}`}>
                  <strong>{name}</strong>{' '}
                  {form.gradeSays(grade, format.number(seats), format.money(price, concert.currency))}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
}
