import { useEffect, useMemo, useRef } from 'react';
import { useFormat } from '../../../i18n/index.js';
import { useOperatorText } from '../../texts/index.js';
import type { ChartDraft } from '../concert-draft.js';
import { drawPreview } from './draw-preview.js';
import { parsePrice } from '../parse-price.js';
import { countByCategory } from '../plan/plan.js';
import { layOutPreview } from './layout-preview.js';

interface GradeSum {
  readonly grade: string;
  readonly seats: number;
  readonly price: number | undefined;
}

/** Seat counts by grade and price, in the chart's order. */
function sumsOf(chart: ChartDraft, currency: string): GradeSum[] {
  if (chart.by === 'plan') {
    if (chart.file?.state !== 'valid') return [];
    return [...countByCategory(chart.file.plan)].map(([grade, seats]) => ({
      grade,
      seats,
      price: parsePrice(chart.prices[grade] ?? '', currency),
    }));
  }
  const sums = new Map<string, GradeSum>();
  for (const section of chart.sections) {
    const price = parsePrice(section.price, currency);
    const grade = section.grade.trim();
    const key = JSON.stringify([grade, price]);
    const seats = Number(section.rows) * Number(section.seatsPerRow) || 0;
    sums.set(key, { grade, price, seats: seats + (sums.get(key)?.seats ?? 0) });
  }
  return [...sums.values()].filter(({ seats }) => seats > 0);
}

/** Draws the chart of a draft and sums up its seats. */
export function ChartPreview({ chart, currency }: { readonly chart: ChartDraft; readonly currency: string }) {
  const { form } = useOperatorText();
  const format = useFormat();
  const canvas = useRef<HTMLCanvasElement>(null);
  const seats = useMemo(() => layOutPreview(chart), [chart]);
  const stage = form.stage;
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const draw = (): void => drawPreview(element, seats, stage);
    const sizes = new ResizeObserver(draw);
    sizes.observe(element);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', draw);
    draw();
    return () => {
      sizes.disconnect();
      dark.removeEventListener('change', draw);
    };
  }, [seats, stage]);
  const sums = sumsOf(chart, currency);
  const worth = sums.reduce((sum, { seats: count, price }) => sum + count * (price ?? 0), 0);
  const summary = form.previewSummary(format.number(seats.x.length), seats.names.length);
  return (
    <figure className="op-preview">
      <figcaption>
        <strong>{form.preview}</strong> <span className="soft">{seats.x.length > 0 && summary}</span>
      </figcaption>
      {seats.x.length === 0 && <p className="soft">{form.previewEmpty}</p>}
      <canvas ref={canvas} role="img" aria-label={summary} hidden={seats.x.length === 0} />
      <ul className="op-grades">
        {sums.map(({ grade, seats: count, price }) => (
          <li key={`${grade} ${price ?? ''}`}>
            <span
              className={`op-swatch op-swatch-${Math.max(0, seats.grades.indexOf(grade)) % 8}`}
              aria-hidden="true"
            />
            {form.gradeSummary(
              format.grade(grade) || '–',
              format.number(count),
              price === undefined ? '–' : format.money(price, currency),
            )}
          </li>
        ))}
      </ul>
      {worth > 0 && <p className="soft small">{form.totalValue(format.money(worth, currency))}</p>}
    </figure>
  );
}
