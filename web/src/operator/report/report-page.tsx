import { useFormat } from '../../i18n/index.js';
import { Button, Loading, useLoaded } from '../../ui/index.js';
import { operatorApi, type OperatorConcertDetails, type SaleReport } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';
import { DateTable } from './date-table.js';
import { type Figure, Figures } from './figures.js';
import { HistoryPlots } from './history-plots.js';

const SECOND_MS = 1000;

function useFigures(sale: SaleReport) {
  const { report } = useOperatorText();
  const format = useFormat();
  const { queue, sales, waits } = sale;
  const count = (value: number): string => format.number(value);
  const money = (amount: number): string => format.money(amount, sale.currency);
  const at = (time: string | null): string => (time === null ? report.none : format.date(time));
  const wait = (seconds: number | null): string =>
    seconds === null ? report.none : format.duration(seconds * SECOND_MS);
  const closesAt = format.date(sale.closesAt);
  const period = sale.opensAt === null ? report.until(closesAt) : report.from(at(sale.opensAt), closesAt);
  return {
    sales: [
      [report.period, period],
      [report.revenue, money(sales.revenue)],
      [report.seatsSold, report.ofTotal(count(sales.seatsSold), count(sales.seatsTotal))],
      [report.payments, count(sales.payments)],
      [report.refunds, report.refundsOf(count(sales.refunds), money(sales.refundedAmount))],
      [report.firstPaid, at(sales.firstPaidAt)],
      [report.lastPaid, at(sales.lastPaidAt)],
      [report.holdsLive, count(sales.holdsLive)],
      [report.holdsExpired, count(sales.holdsExpired)],
      [report.holdsReleased, count(sales.holdsReleased)],
    ],
    queue: [
      [report.joined, count(queue.joined)],
      [report.admitted, count(queue.admitted)],
      [report.done, count(queue.done)],
      [report.expired, count(queue.expired)],
      [report.left, count(queue.left)],
      [report.closed, count(queue.closed)],
      [report.waiting, count(queue.waiting)],
      [report.active, count(queue.active)],
      [report.peakWaiting, count(queue.peakWaiting)],
      [report.peakActive, count(queue.peakActive)],
    ],
    waits: [
      [report.median, wait(waits.medianSeconds)],
      [report.p90, wait(waits.p90Seconds)],
      [report.p99, wait(waits.p99Seconds)],
    ],
  } as const satisfies Record<string, readonly Figure[]>;
}

function Report({ sale }: { readonly sale: SaleReport }) {
  const { report } = useOperatorText();
  const format = useFormat();
  const figures = useFigures(sale);
  const asOf = format.date(sale.asOf);
  return (
    <>
      <div className="op-list-tools">
        <p className={sale.isFinal ? 'soft' : 'notice notice-info'}>
          {sale.isFinal ? report.final(asOf) : report.preliminary(asOf)}
        </p>
        <div className="no-print">
          <Button tone="quiet" onClick={() => print()}>
            {report.print}
          </Button>
        </div>
      </div>
      <div className="op-report">
        <Figures title={report.sales} figures={figures.sales} />
        <Figures title={report.queue} figures={figures.queue} />
        <Figures title={report.waits} figures={figures.waits} />
      </div>
      <DateTable dates={sale.dates} currency={sale.currency} />
      <HistoryPlots history={sale.history} />
    </>
  );
}

/** A sale as a whole, for the time after it. */
export function ReportPage({ concert }: { readonly concert: OperatorConcertDetails }) {
  const { report } = useOperatorText();
  const loaded = useLoaded(`report ${concert.id}`, (signal) => operatorApi.report(concert.id, signal));
  return (
    <section className="stack" aria-label={report.name}>
      <Loading of={loaded}>{(sale) => <Report sale={sale} />}</Loading>
    </section>
  );
}
