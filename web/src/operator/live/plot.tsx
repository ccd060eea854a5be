import { type PointerEvent, useState } from 'react';
import { useFormat } from '../../i18n/index.js';
import { useOperatorText } from '../texts/index.js';
import { MINUTE_MS, type Sample } from './samples.js';

/** Possible spans of a plot: the shortest that covers its samples is used. */
const SPAN_MINUTES = [5, 15, 30, 60];
const WIDTH = 300;
const HEIGHT = 80;

interface Props {
  readonly name: string;
  readonly samples: readonly Sample[];
  readonly nowMs: number;
  readonly valueOf: (sample: Sample) => number;
  readonly formatValue: (value: number) => string;
}

/** The next round number, so that the scale does not change with every value. */
function axisMaximum(value: number): number {
  if (value <= 4) return 4;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((step) => step * power).find((step) => step >= value) ?? value;
}

function nearest(samples: readonly Sample[], atMs: number): Sample | undefined {
  let best: Sample | undefined;
  for (const sample of samples)
    if (!best || Math.abs(sample.atMs - atMs) < Math.abs(best.atMs - atMs)) best = sample;
  return best;
}

/** One metric over the last hour. Its label sums it up for screen readers; the page also has a table. */
export function Plot({ name, samples, nowMs, valueOf, formatValue }: Props) {
  const { live } = useOperatorText();
  const format = useFormat();
  const [pointedMs, setPointedMs] = useState<number>();
  const values = samples.map(valueOf);
  const high = Math.max(0, ...values);
  const low = Math.min(high, ...values);
  const top = axisMaximum(high);
  const [first] = samples;
  const seenMs = first ? nowMs - first.atMs : 0;
  const spanMin = SPAN_MINUTES.find((minutes) => minutes * MINUTE_MS >= seenMs) ?? 60;
  const spanMs = spanMin * MINUTE_MS;
  const toX = (atMs: number): number => WIDTH * (1 - (nowMs - atMs) / spanMs);
  const toY = (value: number): number => HEIGHT - (value / top) * (HEIGHT - 2) - 1;
  const points = samples.map((sample) => `${toX(sample.atMs).toFixed(1)},${toY(valueOf(sample)).toFixed(1)}`);
  const last = samples.at(-1);
  const pointed = pointedMs === undefined ? undefined : nearest(samples, pointedMs);
  const minutes = Math.max(1, Math.round(seenMs / MINUTE_MS));
  const summary = last
    ? live.plotSummary(name, formatValue(valueOf(last)), formatValue(low), formatValue(high), minutes)
    : live.noHistory;

  function point(event: PointerEvent<SVGSVGElement>): void {
    const box = event.currentTarget.getBoundingClientRect();
    setPointedMs(nowMs - spanMs * (1 - (event.clientX - box.left) / box.width));
  }

  return (
    <div className="op-plot">
      <p className="op-plot-top" aria-hidden="true">
        {pointed
          ? `${format.date(pointed.atMs, 'time')} · ${formatValue(valueOf(pointed))}`
          : high > 0 && formatValue(top)}
      </p>
      <svg
        role="img"
        aria-label={summary}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        onPointerMove={point}
        onPointerLeave={() => setPointedMs(undefined)}
      >
        <line className="op-plot-grid" x1="0" x2={WIDTH} y1="1" y2="1" />
        <line className="op-plot-grid" x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
        <line className="op-plot-grid" x1="0" x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} />
        {first && last && (
          <>
            <polygon
              className="op-plot-area"
              points={`${toX(first.atMs)},${HEIGHT} ${points.join(' ')} ${toX(last.atMs)},${HEIGHT}`}
            />
            <polyline className="op-plot-line" points={points.join(' ')} />
          </>
        )}
        {pointed && (
          <line
            className="op-plot-pointer"
            x1={toX(pointed.atMs)}
            x2={toX(pointed.atMs)}
            y1="0"
            y2={HEIGHT}
          />
        )}
      </svg>
      <p className="op-plot-times" aria-hidden="true">
        <span>{live.minutesAgo(spanMin)}</span>
        <span>{live.now}</span>
      </p>
    </div>
  );
}
