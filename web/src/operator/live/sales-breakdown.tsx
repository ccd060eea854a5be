import { useFormat } from '../../i18n/index.js';
import type { Chart, SeatStates } from '../../seat-map/index.js';
import { ColumnHeads } from '../column-heads.js';
import type { OperatorConcertDetails } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';
import { countByGrade } from './count-by-grade.js';

interface Row {
  readonly key: string;
  readonly name: string;
  readonly sold: number;
  readonly held: number;
  readonly free: number;
  readonly sales?: string;
}

function Breakdown({
  title,
  head,
  rows,
}: {
  readonly title: string;
  readonly head: string;
  readonly rows: readonly Row[];
}) {
  const { breakdown } = useOperatorText();
  const { number } = useFormat();
  const heads = [head, breakdown.sold, breakdown.held, breakdown.free];
  const withSales = rows.some(({ sales }) => sales !== undefined);
  return (
    <div className="stack-small">
      <h3>{title}</h3>
      <div className="op-scroll" tabIndex={0} role="region" aria-label={title}>
        <table className="op-numbers op-breakdown">
          <ColumnHeads names={withSales ? [...heads, breakdown.sales] : heads} />
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                <th scope="row">{row.name}</th>
                <td>{number(row.sold)}</td>
                <td>{number(row.held)}</td>
                <td>{number(row.free)}</td>
                {withSales && <td>{row.sales}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** The sales of one date, by grade. */
export function SalesByGrade({ chart, states }: { readonly chart: Chart; readonly states: SeatStates }) {
  const { breakdown } = useOperatorText();
  const format = useFormat();
  const rows = countByGrade(chart, states).map(({ grade, price, sold, ...counts }) => ({
    key: `${grade} ${price}`,
    name: `${format.grade(grade)} · ${format.money(price, chart.currency)}`,
    sold,
    ...counts,
    sales: format.money(sold * price, chart.currency),
  }));
  return <Breakdown title={breakdown.byGrade} head={breakdown.grade} rows={rows} />;
}

/** The seats of a concert, by date. The report has the money. */
export function SalesByDate({ concert }: { readonly concert: OperatorConcertDetails }) {
  const { breakdown } = useOperatorText();
  const format = useFormat();
  const rows = concert.schedules.map((date) => ({
    key: date.id,
    name: format.date(date.startsAt),
    sold: date.seatsSold,
    held: date.seatsHeld,
    free: date.seatsRemaining,
  }));
  return <Breakdown title={breakdown.byDate} head={breakdown.date} rows={rows} />;
}
