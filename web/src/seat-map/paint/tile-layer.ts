import type { Box, Chart } from '../chart/chart.js';
import type { SeatGrid } from '../chart/seat-grid.js';
import { paintSections } from './paint-sections.js';
import { createSeatPainter } from './paint-tile.js';
import type { Theme } from './theme.js';

export interface Tile {
  readonly canvas: HTMLCanvasElement;
  readonly box: Box;
  isStale: boolean;
  /** Seats that changed since the tile was painted. A few are repainted singly; many make the tile stale. */
  changed: number[];
}

/** The tiles of one scale. */
export interface Layer {
  readonly scale: number;
  readonly tiles: Map<string, Tile>;
  readonly paint: (tile: Tile, codes: Uint8Array) => void;
  /** Repaints only the changed seats. */
  readonly repaintChanged: (tile: Tile, codes: Uint8Array) => void;
  /** Marks a seat as changed on its tiles. */
  readonly markChanged: (seat: number) => void;
}

interface Size {
  readonly scale: number;
  readonly ratio: number;
  readonly tilePx: number;
}

const REPAINT_SINGLY_MAX = 40;

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
      paintSections(ctx, chart, theme, { x, y, scale: zoom }, { width: tilePx, height: tilePx }, ratio);
      painter.paint(ctx, tile.box, tile.box, codes);
      tile.isStale = false;
      tile.changed = [];
    },
    repaintChanged: (tile, codes) => {
      const ctx = tile.canvas.getContext('2d', { alpha: false });
      if (!ctx) return;
      for (const seat of tile.changed) {
        // Clear the seat's spot with the section's background, then draw what is there now.
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
    markChanged: (seat) => {
      const spot = spotOf(seat);
      for (const tile of tiles.values()) {
        if (!overlap(spot, tile.box)) continue;
        tile.changed.push(seat);
        tile.isStale ||= tile.changed.length > REPAINT_SINGLY_MAX;
      }
    },
  };
}

const overlap = (one: Box, other: Box): boolean =>
  one.x <= other.x + other.width &&
  other.x <= one.x + one.width &&
  one.y <= other.y + other.height &&
  other.y <= one.y + one.height;
