import { type Camera, type View, visibleBox } from '../camera/camera.js';
import type { Box, Chart } from '../chart/chart.js';
import type { SeatGrid } from '../chart/seat-grid.js';
import { paintSections } from './paint-sections.js';
import { createLayer, type Layer } from './tile-layer.js';
import type { Theme } from './theme.js';
import { expand, tilesCovering } from './tile-grid.js';

/**
 * Caches drawn seats in tiles: panning copies a few dozen images however many seats there are. While zooming, the tiles of the
 * previous scale are stretched; after the zoom has settled, they are painted at the new scale, a few per frame.
 */
export interface SeatTiles {
  /** Draws the available tiles. Returns whether some remain to be painted in a later frame. */
  readonly draw: (ctx: CanvasRenderingContext2D, camera: Camera, view: View, isSettled: boolean) => boolean;
  readonly setCodes: (codes: Uint8Array) => void;
}

const FRAME_BUDGET_MS = 6;
const PREFETCH_BUDGET_MS = 2;
const SPARE_TILES_MAX = 24;

export function createSeatTiles(chart: Chart, grid: SeatGrid, theme: Theme, ratio: number): SeatTiles {
  const tilePx = ratio < 1.5 ? 256 : 512;
  let codes: Uint8Array = new Uint8Array(chart.seats.count);
  let layer: Layer | undefined;
  let oldLayer: Layer | undefined;
  const spare: HTMLCanvasElement[] = [];

  const layerAt = (scale: number): Layer => createLayer(chart, grid, theme, { scale, ratio, tilePx });

  const addTile = (target: Layer, key: string, box: Box): void => {
    const canvas = spare.pop() ?? document.createElement('canvas');
    if (canvas.width !== tilePx) canvas.width = canvas.height = tilePx;
    const tile = { canvas, box, isStale: true, changed: [] };
    target.paint(tile, codes);
    target.tiles.set(key, tile);
  };

  /** Paints missing and stale tiles until the time is up. Returns whether all are painted. */
  const paintAll = (
    target: Layer,
    wanted: readonly { key: string; box: Box }[],
    untilMs: number,
  ): boolean => {
    for (const { key, box } of wanted) {
      const tile = target.tiles.get(key);
      if (tile && !tile.isStale && tile.changed.length === 0) continue;
      if (performance.now() > untilMs) return false;
      if (tile && !tile.isStale) target.repaintChanged(tile, codes);
      else if (tile) target.paint(tile, codes);
      else addTile(target, key, box);
    }
    return true;
  };

  const drop = (target: Layer | undefined, keep?: ReadonlySet<string>): void => {
    for (const [key, tile] of target?.tiles ?? []) {
      if (keep?.has(key)) continue;
      if (spare.length < SPARE_TILES_MAX) spare.push(tile.canvas);
      target?.tiles.delete(key);
    }
  };

  const copy = (ctx: CanvasRenderingContext2D, from: Layer | undefined, camera: Camera, view: View): void => {
    const zoom = camera.scale * ratio;
    for (const { canvas, box } of from?.tiles.values() ?? []) {
      // Round edges instead of sizes, so that neighbouring tiles meet without a seam.
      const left = Math.round((box.x - camera.x) * zoom);
      const top = Math.round((box.y - camera.y) * zoom);
      const right = Math.round((box.x + box.width - camera.x) * zoom);
      const bottom = Math.round((box.y + box.height - camera.y) * zoom);
      if (right < 0 || bottom < 0 || left > view.width * ratio || top > view.height * ratio) continue;
      ctx.drawImage(canvas, left, top, right - left, bottom - top);
    }
  };

  const draw = (ctx: CanvasRenderingContext2D, camera: Camera, view: View, isSettled: boolean): boolean => {
    const startedMs = performance.now();
    const stretch = layer ? camera.scale / layer.scale : Infinity;
    if (stretch !== 1 && (isSettled || stretch > 2.5 || stretch < 0.5)) {
      // Keep the old layer behind the new one until the new one is painted.
      if (layer && layer.tiles.size > 0) {
        drop(oldLayer);
        oldLayer = layer;
      }
      layer = layerAt(camera.scale);
    }
    if (!layer) return false;

    const side = tilePx / ratio / layer.scale;
    const seen = visibleBox(camera, view);
    const wanted = tilesCovering(seen, side);
    const isIncomplete = !paintAll(layer, wanted, startedMs + FRAME_BUDGET_MS);
    if (!isIncomplete && isSettled) {
      drop(oldLayer);
      oldLayer = undefined;
    }
    // Paint tiles just outside the view in idle frames, so that panning finds them ready.
    const near = tilesCovering(expand(seen, side), side);
    const isReady = !isIncomplete && isSettled && paintAll(layer, near, startedMs + PREFETCH_BUDGET_MS);
    if (layer.tiles.size > near.length + SPARE_TILES_MAX) drop(layer, new Set(near.map(({ key }) => key)));
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    if (isIncomplete || !isSettled) {
      const inPx = { width: view.width * ratio, height: view.height * ratio };
      paintSections(ctx, chart, theme, { ...camera, scale: camera.scale * ratio }, inPx, ratio);
      copy(ctx, oldLayer, camera, view);
    }
    copy(ctx, layer, camera, view);
    return !isReady;
  };

  const setCodes = (next: Uint8Array): void => {
    for (let seat = 0; seat < next.length; seat += 1) {
      if (next[seat] !== codes[seat]) layer?.markChanged(seat);
    }
    codes = next;
  };
  return { draw, setCodes };
}
