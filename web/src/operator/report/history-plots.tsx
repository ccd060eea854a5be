import { useFormat } from '../../i18n/index.js';
import type { SaleReport } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';

type Item = SaleReport['history']['items'][number];

const WIDTH = 300;
const HEIGHT = 80;

interface PlotProps {
  readonly name: string;
  readonly items: readonly Item[];
  readonly valueOf: (item: Item) => number;
}

function HistoryPlot({ name, items, valueOf }: PlotProps) {
  const { report } = useOperatorText();
  const format = useFormat();
  const times = items.map(({ at }) => Date.parse(at));
  const [firstMs = 0] = times;
  const spanMs = Math.max(1, (times.at(-1) ?? 0) - firstMs);
  const high = Math.max(1, ...items.map(valueOf));
  const points = items.map((item, index) => {
    const x = (WIDTH * ((times[index] ?? 0) - firstMs)) / spanMs;
    return `${x.toFixed(1)},${(HEIGHT - 1 - (valueOf(item) / high) * (HEIGHT - 2)).toFixed(1)}`;
  });
  return (
    <figure className="op-plot">
      <figcaption>
        {name} · {format.number(high)}
      </figcaption>
      <svg
        role="img"
        aria-label={report.historySummary(name, format.number(high))}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        <line className="op-plot-grid" x1="0" x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} />
        <polyline className="op-plot-line" points={points.join(' ')} />
      </svg>
      <p className="op-plot-times" aria-hidden="true">
        <span>{format.date(firstMs)}</span>
        <span>{format.date(firstMs + spanMs)}</span>
      </p>
    </figure>
  );
}

/** The whole sale over time. */
export function HistoryPlots({ history: { items } }: Pick<SaleReport, 'history'>) {
  const { live, report } = useOperatorText();
  // One point is no line.
  if (items.length < 2) return null;
  return (
    <section className="stack" aria-label={report.history}>
      <h2>{report.history}</h2>
      <div className="op-report-plots">
        <HistoryPlot name={live.waiting} items={items} valueOf={({ waiting }) => waiting} />
        <HistoryPlot name={live.active} items={items} valueOf={({ active }) => active} />
        <HistoryPlot name={live.sold} items={items} valueOf={({ seatsSold }) => seatsSold} />
      </div>
    </section>
  );
}
