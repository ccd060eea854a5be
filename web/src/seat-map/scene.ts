import { type Camera, type View, toScreen } from './camera.js';
import type { Chart } from './chart.js';
import { pxOf, showsSeats } from './detail.js';
import { drawChosen } from './glyphs.js';
import type { SeatGrid } from './hit-test.js';
import { type LabelPens, paintBlockLabels, paintSectionNames, paintStage } from './paint-labels.js';
import { createOverview } from './paint-overview.js';
import { RADIUS_SHARE } from './paint-tile.js';
import type { SeatStates } from './states.js';
import type { Texts } from './texts.js';
import type { Theme } from './theme.js';
import { type SeatTiles, createSeatTiles } from './tiles.js';

/** What is to be seen, apart from where one looks. */
export interface Scene {
  readonly states: SeatStates;
  readonly selected: ReadonlySet<number>;
  /** The seat the keyboard is at, drawn with a ring; -1 when it is nowhere. */
  readonly ringed: number;
}

/** Puts a frame together: blocks or seats, then the stage, names, one's own seats and the ring. */
export function createScenePainter(canvas: HTMLCanvasElement, chart: Chart, grid: SeatGrid) {
  const ctx = canvas.getContext('2d', { alpha: false });
  let ratio = 1;
  let scene: Scene | undefined;
  let look: { theme: Theme; texts: Texts } | undefined;
  let tiles: SeatTiles | undefined;
  let overview: ReturnType<typeof createOverview> | undefined;

  const renew = (): void => {
    if (!look) return;
    tiles = createSeatTiles(chart, grid, look.theme, ratio);
    overview = createOverview(chart, look.theme, ratio);
    if (scene) tiles.setCodes(scene.states.codes);
  };

  const paintMarks = (pens: LabelPens, { selected, ringed }: Scene): void => {
    const { theme, camera } = pens;
    if (!ctx) return;
    const px = pxOf(chart, camera.scale);
    const at = (seat: number) => ({
      ...toScreen(camera, { x: chart.seats.x[seat] ?? 0, y: chart.seats.y[seat] ?? 0 }),
      grade: chart.seats.grade[seat] ?? 0,
    });
    // Zoomed out, one's own seats are still found: they never shrink below a visible size.
    for (const seat of selected) drawChosen(ctx, theme, at(seat), Math.max(5, px * RADIUS_SHARE));
    if (ringed < 0) return;
    const { x, y } = at(ringed);
    const side = Math.max(16, px * 1.06);
    for (const [colour, width] of [
      [theme.surface, 6],
      [theme.ink, 3],
    ] as const) {
      ctx.strokeStyle = colour;
      ctx.lineWidth = width;
      ctx.beginPath();
      ctx.roundRect(x - side / 2, y - side / 2, side, side, side * 0.26);
      ctx.stroke();
    }
  };

  return {
    resize: (view: View, nextRatio: number): void => {
      canvas.width = Math.max(1, Math.round(view.width * nextRatio));
      canvas.height = Math.max(1, Math.round(view.height * nextRatio));
      if (nextRatio === ratio) return;
      ratio = nextRatio;
      renew();
    },
    show: (next: Scene): void => {
      if (next.states !== scene?.states) tiles?.setCodes(next.states.codes);
      scene = next;
    },
    dress: (theme: Theme, texts: Texts): void => {
      look = { theme, texts };
      renew();
    },
    /** Answers whether something could not be finished within this frame. */
    paint: (camera: Camera, view: View, isResting: boolean): boolean => {
      if (!ctx || !scene || !look || !tiles || !overview) return false;
      const pens = { ctx, chart, ...look, camera, view };
      const isClose = showsSeats(chart, camera.scale);
      let remains = false;
      if (isClose) remains = tiles.draw(ctx, camera, view, isResting);
      else overview(ctx, camera, view, scene.states);
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      paintStage(pens);
      if (isClose) paintSectionNames(pens);
      else paintBlockLabels(pens, scene.states);
      paintMarks(pens, scene);
      return remains;
    },
  };
}
