import type { Reservation } from '../../api/index.js';
import { useFormat, useText } from '../../i18n/index.js';

interface Props {
  readonly seats: readonly Omit<Reservation['seats'][number], 'id'>[];
  readonly currency: string;
  readonly caption: string;
}

/** The seats of a reservation or receipt with grades and prices. */
export function SeatTable({ seats, currency, caption }: Props) {
  const { receipt: text } = useText();
  const format = useFormat();
  return (
    <table className="table">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{text.seat}</th>
          <th scope="col">{text.grade}</th>
          <th scope="col" className="number">
            {text.price}
          </th>
        </tr>
      </thead>
      <tbody>
        {seats.map((seat) => (
          <tr key={seat.label}>
            <td>{format.seats([seat])}</td>
            <td>{format.grade(seat.grade)}</td>
            <td className="number">{format.money(seat.price, currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
