import { useFormat } from '../../i18n/index.js';
import type { OperatorConcertDetails } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';

/** The dates of a concert with seats sold and prices. */
export function DatesOverview({ concert }: { readonly concert: OperatorConcertDetails }) {
  const { general, form } = useOperatorText();
  const format = useFormat();
  return (
    <section className="stack-small">
      <h2>{form.dates}</h2>
      <ul className="op-date-cards">
        {concert.schedules.map((date) => (
          <li key={date.id} className="card">
            <h3>{format.date(date.startsAt, 'full')}</h3>
            <p className="soft small">
              {general.sold(format.number(date.seatsSold), format.number(date.seatsTotal))}
              {date.seatsHeld > 0 && ` · ${general.held(format.number(date.seatsHeld))}`}
            </p>
            <ul className="op-grades">
              {date.sections.map(({ name, grade, price, seats }) => (
                <li key={`${name} ${grade} ${price}`}>
                  <strong>{name}</strong>{' '}
                  {form.gradeSummary(
                    format.grade(grade),
                    format.number(seats),
                    format.money(price, concert.currency),
                  )}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
}
