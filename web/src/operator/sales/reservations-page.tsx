import { useFormat } from '../../i18n/index.js';
import { operatorApi, type OperatorConcertDetails, type ReservationEntry } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';
import { Buyer, Cell } from './cells.js';
import { SalesList } from './sales-list.js';

const TONES = { HELD: 'tag-warn', CONFIRMED: 'tag-good', EXPIRED: '', CANCELLED: '' } as const;

export function ReservationsPage({ concert }: { readonly concert: OperatorConcertDetails }) {
  const { sales } = useOperatorText();
  const format = useFormat();
  const startsAt = new Map(concert.schedules.map((date) => [date.id, date.startsAt]));
  const heads = [sales.at, sales.date, sales.buyer, sales.seats, sales.amount, sales.status];
  const row = (item: ReservationEntry) => (
    <tr key={item.id}>
      <Cell head={sales.at}>{format.date(item.createdAt)}</Cell>
      <Cell head={sales.date}>{format.date(startsAt.get(item.scheduleId) ?? item.createdAt)}</Cell>
      <Cell head={sales.buyer}>
        <Buyer user={item.user} />
      </Cell>
      <Cell head={sales.seats}>{format.seats(item.seats)}</Cell>
      <Cell head={sales.amount}>
        <span className="op-amount">{format.money(item.amount, item.currency)}</span>
      </Cell>
      <Cell head={sales.status}>
        <span className={`tag ${TONES[item.status]}`}>{sales.states[item.status]}</span>
        {item.status === 'HELD' && (
          <span className="soft small"> {sales.until(format.date(item.expiresAt, 'time'))}</span>
        )}
      </Cell>
    </tr>
  );
  return (
    <SalesList
      concert={concert}
      name="reservations"
      statuses={sales.states}
      load={(filter, page, signal) => operatorApi.reservations(concert.id, filter, page, signal)}
      none={sales.noneReservations}
      heads={heads}
      row={row}
    />
  );
}
