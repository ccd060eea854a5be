import { useFormat } from '../../i18n/index.js';
import { ColumnHeads } from '../column-heads.js';
import type { SaleReport } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';

/** Sales by date and grade. */
export function DateTable({ dates, currency }: Pick<SaleReport, 'dates' | 'currency'>) {
  const { report } = useOperatorText();
  const format = useFormat();
  const figures = (row: { seatsSold: number; seatsTotal: number; revenue: number }) => (
    <>
      <td>{report.ofTotal(format.number(row.seatsSold), format.number(row.seatsTotal))}</td>
      <td className="op-amount">{format.money(row.revenue, currency)}</td>
    </>
  );
  return (
    <section className="stack" aria-label={report.dates}>
      <h2>{report.dates}</h2>
      <div className="op-scroll" tabIndex={0} role="region" aria-label={report.dates}>
        <table className="op-numbers">
          <ColumnHeads names={[report.date, report.grade, report.seatsSold, report.revenue]} />
          {dates.map((date) => (
            <tbody key={date.scheduleId}>
              <tr>
                <th scope="row">{format.date(date.startsAt)}</th>
                <td>{report.total}</td>
                {figures(date)}
              </tr>
              {date.grades.map((grade) => (
                <tr key={grade.grade}>
                  <td />
                  <td>{grade.grade}</td>
                  {figures(grade)}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
    </section>
  );
}
