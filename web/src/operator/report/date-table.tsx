import { useFormat } from '../../i18n/index.js';
import { ColumnHeads } from '../column-heads.js';
import type { SaleReport } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';

interface Row {
  readonly seatsSold: number;
  readonly seatsTotal: number;
  readonly revenue: number;
}

const sumOf = (rows: readonly Row[]): Row => ({
  seatsSold: rows.reduce((sum, row) => sum + row.seatsSold, 0),
  seatsTotal: rows.reduce((sum, row) => sum + row.seatsTotal, 0),
  revenue: rows.reduce((sum, row) => sum + row.revenue, 0),
});

/** The grades of all dates together, in the order in which they first appear. */
function gradesOf(dates: SaleReport['dates']): readonly (Row & { readonly grade: string })[] {
  const rows = dates.flatMap(({ grades }) => grades);
  const names = [...new Set(rows.map(({ grade }) => grade))];
  return names.map((grade) => ({ grade, ...sumOf(rows.filter((row) => row.grade === grade)) }));
}

/** Sales by date and grade. */
export function DateTable({ dates, currency }: Pick<SaleReport, 'dates' | 'currency'>) {
  const { report } = useOperatorText();
  const format = useFormat();
  const figures = (row: Row) => (
    <>
      <td>{report.ofTotal(format.number(row.seatsSold), format.number(row.seatsTotal))}</td>
      <td className="op-amount">{format.money(row.revenue, currency)}</td>
    </>
  );
  return (
    <section className="stack">
      <h2>{report.dates}</h2>
      <div className="op-scroll" tabIndex={0} role="region" aria-label={report.dates}>
        <table className="op-numbers">
          <ColumnHeads names={[report.date, report.grade, report.seatsSold, report.revenue]} />
          {dates.length > 1 && (
            <tbody>
              <tr>
                <th scope="row">{report.allDates}</th>
                <td>{report.total}</td>
                {figures(sumOf(dates))}
              </tr>
              {gradesOf(dates).map((grade) => (
                <tr key={grade.grade}>
                  <td />
                  <td>{format.grade(grade.grade)}</td>
                  {figures(grade)}
                </tr>
              ))}
            </tbody>
          )}
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
                  <td>{format.grade(grade.grade)}</td>
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
