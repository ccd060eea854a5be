import { type Camera, type View, toScreen } from '../camera/camera.js';
import type { Chart } from '../chart/chart.js';
import { seatPx, showsSeats } from '../camera/zoom-levels.js';
import { drawChosen } from './draw-seat.js';
import type { SeatGrid } from '../chart/seat-grid.js';
import {
  type LabelContext,
  paintBlockLabels,
  paintRowNames,
  paintSectionNames,
  paintStage,
} from './paint-labels.js';
import { createOverview } from './paint-overview.js';
import { RADIUS_SHARE } from './paint-tile.js';
import type { SeatStates } from '../chart/seat-states.js';
import type { Texts } from '../texts.js';
import type { Theme } from './theme.js';
import { type SeatTiles, createSeatTiles } from './tiles.js';

/** What the map shows, independent of the camera. */
export interface Scene {
  readonly states: SeatStates;
  readonly selected: ReadonlySet<number>;
  /** The seat of the keyboard cursor, drawn with a ring; -1 for none. */
  readonly ringed: number;
}

/** Paints a frame: sections or seats, then the stage, labels, chosen seats and the keyboard cursor. */
export function createScenePainter(canvas: HTMLCanvasElement, chart: Chart, grid: SeatGrid) {
  const ctx = canvas.getContext('2d', { alpha: false });
  let ratio = 1;
  let scene: Scene | undefined;
  let appearance: { theme: Theme; texts: Texts } | undefined;
  let tiles: SeatTiles | undefined;
  let overview: ReturnType<typeof createOverview> | undefined;

  const recreateLayers = (): void => {
    if (!appearance) return;
    tiles = createSeatTiles(chart, grid, appearance.theme, ratio);
    overview = createOverview(chart, appearance.theme, ratio);
    if (scene) tiles.setCodes(scene.states.codes);
  };

  const paintMarks = (labelContext: LabelContext, { states, selected, ringed }: Scene): void => {
    const { theme, camera } = labelContext;
    if (!ctx) return;
    const px = seatPx(chart, camera.scale);
    const at = (seat: number) => ({
      ...toScreen(camera, { x: chart.seats.x[seat] ?? 0, y: chart.seats.y[seat] ?? 0 }),
      grade: chart.seats.grade[seat] ?? 0,
    });
    // Chosen seats, and those the fan holds, stay visible when zoomed out.
    const radius = Math.max(5, px * RADIUS_SHARE);
    for (const seat of states.mine) drawChosen(ctx, theme, at(seat), radius, theme.accent);
    for (const seat of selected) drawChosen(ctx, theme, at(seat), radius);
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
      recreateLayers();
    },
    show: (next: Scene): void => {
      if (next.states !== scene?.states) tiles?.setCodes(next.states.codes);
      scene = next;
    },
    setTheme: (theme: Theme, texts: Texts): void => {
      appearance = { theme, texts };
      recreateLayers();
    },
    /** Returns whether another frame is needed to finish. */
    paint: (camera: Camera, view: View, isSettled: boolean): boolean => {
      if (!ctx || !scene || !appearance || !tiles || !overview) return false;
      const labelContext = { ctx, chart, ...appearance, camera, view };
      const isClose = showsSeats(chart, camera.scale);
      let isUnfinished = false;
      if (isClose) isUnfinished = tiles.draw(ctx, camera, view, isSettled);
      else overview(ctx, camera, view, scene.states);
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      paintStage(labelContext);
      if (!isClose) paintBlockLabels(labelContext, scene.states);
      paintMarks(labelContext, scene);
      if (isClose) {
        paintRowNames(labelContext);
        paintSectionNames(labelContext);
      }
      return isUnfinished;
    },
  };
}
