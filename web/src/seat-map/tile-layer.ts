import type { Box, Chart } from './chart.js';
import type { SeatGrid } from './hit-test.js';
import { paintGround } from './paint-ground.js';
import { createSeatPainter } from './paint-tile.js';
import type { Theme } from './theme.js';

export interface Tile {
  readonly canvas: HTMLCanvasElement;
  readonly box: Box;
  isStale: boolean;
  /** Seats that have changed since: drawn over one by one, as long as they are few. */
  changed: number[];
}

/** The tiles of one scale. */
export interface Layer {
  readonly scale: number;
  readonly tiles: Map<string, Tile>;
  readonly paint: (tile: Tile, codes: Uint8Array) => void;
  /** Draws only the seats that have changed. */
  readonly mend: (tile: Tile, codes: Uint8Array) => void;
  /** A seat looks different from now on. */
  readonly note: (seat: number) => void;
}

interface Size {
  readonly scale: number;
  readonly ratio: number;
  readonly tilePx: number;
}

const MENDED_ONE_BY_ONE = 40;

export function createLayer(chart: Chart, grid: SeatGrid, theme: Theme, size: Size): Layer {
  const { scale, ratio, tilePx } = size;
  const painter = createSeatPainter(chart, grid, theme, scale, ratio);
  const tiles = new Map<string, Tile>();
  const zoom = scale * ratio;
  const reach = 0.5 * chart.spacing;

  const spotOf = (seat: number): Box => ({
    x: (chart.seats.x[seat] ?? 0) - reach,
    y: (chart.seats.y[seat] ?? 0) - reach,
    width: 2 * reach,
    height: 2 * reach,
  });

  return {
    scale,
    tiles,
    paint: (tile, codes) => {
      const ctx = tile.canvas.getContext('2d', { alpha: false });
      if (!ctx) return;
      const { x, y } = tile.box;
      paintGround(ctx, chart, theme, { x, y, scale: zoom }, { width: tilePx, height: tilePx }, ratio);
      painter.paint(ctx, tile.box, tile.box, codes);
      tile.isStale = false;
      tile.changed = [];
    },
    mend: (tile, codes) => {
      const ctx = tile.canvas.getContext('2d', { alpha: false });
      if (!ctx) return;
      for (const seat of tile.changed) {
        // A changed seat's spot is the ground of its section, and what is drawn there now.
        const spot = spotOf(seat);
        ctx.save();
        ctx.beginPath();
        ctx.rect(
          (spot.x - tile.box.x) * zoom,
          (spot.y - tile.box.y) * zoom,
          spot.width * zoom,
          spot.height * zoom,
        );
        ctx.clip();
        ctx.fillStyle = theme.surface;
        ctx.fillRect(0, 0, tilePx, tilePx);
        painter.paint(ctx, tile.box, spot, codes);
        ctx.restore();
      }
      tile.changed = [];
    },
    note: (seat) => {
      const spot = spotOf(seat);
      for (const tile of tiles.values()) {
        if (!overlap(spot, tile.box)) continue;
        tile.changed.push(seat);
        tile.isStale ||= tile.changed.length > MENDED_ONE_BY_ONE;
      }
    },
  };
}

const overlap = (one: Box, other: Box): boolean =>
  one.x <= other.x + other.width &&
  other.x <= one.x + one.width &&
  one.y <= other.y + other.height &&
  other.y <= one.y + one.height;
