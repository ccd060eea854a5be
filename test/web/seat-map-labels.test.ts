import { describe, expect, it } from 'vitest';
import type { Camera } from '../../web/src/seat-map/camera/camera.js';
import { decodeChart } from '../../web/src/seat-map/chart/chart.js';
import { type LabelContext, paintRowNames } from '../../web/src/seat-map/paint/paint-labels.js';
import { textsOf } from '../../web/src/seat-map/texts.js';
import { chartBody } from './seat-map-fixture.js';

const VIEW = { width: 400, height: 300 };
const THEME = {
  surface: '#fff',
  ground: '#eee',
  ink: '#000',
  muted: '#555',
  faint: '#999',
  stage: '#222',
  onStage: '#fff',
  line: '#ccc',
  accent: '#a00',
  onGrade: '#fff',
  onInk: '#fff',
  grades: [],
  tints: [],
  font: 'sans-serif',
};
/** Ten rows of forty seats, one unit apart. */
const CHART = decodeChart(chartBody([{ name: 'F1', x: 0, y: 10, rows: 10, seatsPerRow: 40 }]));

/** The texts that are drawn, with their positions. */
function paint(camera: Camera) {
  const drawn: { text: string; x: number; y: number }[] = [];
  const ctx: Partial<CanvasRenderingContext2D> = {
    beginPath: () => undefined,
    roundRect: () => undefined,
    fill: () => undefined,
    stroke: () => undefined,
    fillRect: () => undefined,
    strokeText: () => undefined,
    fillText: (text, x, y) => void drawn.push({ text, x, y }),
    measureText: (text) => ({ width: text.length * 6 }) as TextMetrics,
  };
  const context = { ctx, chart: CHART, theme: THEME, texts: textsOf('ko'), camera, view: VIEW };
  paintRowNames(context as LabelContext);
  return drawn;
}

describe('the names of rows on the map', () => {
  it('stay at the left edge while the beginning of the row is out of view', () => {
    const drawn = paint({ x: 15, y: 8, scale: 30 });
    expect(drawn.map(({ text }) => text)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
    for (const { text, x, y } of drawn) {
      expect(x).toBeLessThan(24);
      expect(Math.round(y)).toBe((Number(text) + 9 - 8) * 30 + 1);
    }
  });

  it('are not drawn twice where the row begins in view', () => {
    expect(paint({ x: -2, y: 8, scale: 30 })).toEqual([]);
  });

  it('are not drawn where no seat of the row is in view, nor where seats are too small', () => {
    expect(paint({ x: 41, y: 8, scale: 30 })).toEqual([]);
    expect(paint({ x: 15, y: 8, scale: 10 })).toEqual([]);
  });
});
