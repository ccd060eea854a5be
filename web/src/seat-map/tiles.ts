import { type Camera, type View, seenBox } from './camera.js';
import type { Box, Chart } from './chart.js';
import type { SeatGrid } from './hit-test.js';
import { paintGround } from './paint-ground.js';
import { createLayer, type Layer } from './tile-layer.js';
import type { Theme } from './theme.js';
import { grown, tilesIn } from './tile-grid.js';

/**
 * The seats as tiles that are drawn once and then only moved: panning copies a few dozen pictures however many seats they show.
 * While zooming, the tiles of the last scale are stretched; once the zoom rests they are drawn anew, a few in every frame.
 */
export interface SeatTiles {
  /** Copies what there is. Answers whether tiles remain to be drawn, for which there was no time in this frame. */
  readonly draw: (ctx: CanvasRenderingContext2D, camera: Camera, view: View, isResting: boolean) => boolean;
  readonly setCodes: (codes: Uint8Array) => void;
}

const FRAME_BUDGET_MS = 6;
const SPARE_TIME_MS = 2;
const SPARE_TILES = 24;

export function createSeatTiles(chart: Chart, grid: SeatGrid, theme: Theme, ratio: number): SeatTiles {
  const tilePx = ratio < 1.5 ? 256 : 512;
  let codes: Uint8Array = new Uint8Array(chart.seats.count);
  let layer: Layer | undefined;
  let behind: Layer | undefined;
  const spare: HTMLCanvasElement[] = [];

  const layerAt = (scale: number): Layer => createLayer(chart, grid, theme, { scale, ratio, tilePx });

  const addTile = (target: Layer, key: string, box: Box): void => {
    const canvas = spare.pop() ?? document.createElement('canvas');
    if (canvas.width !== tilePx) canvas.width = canvas.height = tilePx;
    const tile = { canvas, box, isStale: true, changed: [] };
    target.paint(tile, codes);
    target.tiles.set(key, tile);
  };

  /** Draws those of the tiles that are missing or stale, until the time is up. Answers whether all are drawn. */
  const paintAll = (
    target: Layer,
    wanted: readonly { key: string; box: Box }[],
    untilMs: number,
  ): boolean => {
    for (const { key, box } of wanted) {
      const tile = target.tiles.get(key);
      if (tile && !tile.isStale && tile.changed.length === 0) continue;
      if (performance.now() > untilMs) return false;
      if (tile && !tile.isStale) target.mend(tile, codes);
      else if (tile) target.paint(tile, codes);
      else addTile(target, key, box);
    }
    return true;
  };

  const drop = (target: Layer | undefined, keep?: ReadonlySet<string>): void => {
    for (const [key, tile] of target?.tiles ?? []) {
      if (keep?.has(key)) continue;
      if (spare.length < SPARE_TILES) spare.push(tile.canvas);
      target?.tiles.delete(key);
    }
  };

  const copy = (ctx: CanvasRenderingContext2D, from: Layer | undefined, camera: Camera, view: View): void => {
    const zoom = camera.scale * ratio;
    for (const { canvas, box } of from?.tiles.values() ?? []) {
      // Edges are rounded, not sizes: neighbours meet without a seam.
      const left = Math.round((box.x - camera.x) * zoom);
      const top = Math.round((box.y - camera.y) * zoom);
      const right = Math.round((box.x + box.width - camera.x) * zoom);
      const bottom = Math.round((box.y + box.height - camera.y) * zoom);
      if (right < 0 || bottom < 0 || left > view.width * ratio || top > view.height * ratio) continue;
      ctx.drawImage(canvas, left, top, right - left, bottom - top);
    }
  };

  const draw = (ctx: CanvasRenderingContext2D, camera: Camera, view: View, isResting: boolean): boolean => {
    const startedMs = performance.now();
    const stretch = layer ? camera.scale / layer.scale : Infinity;
    if (stretch !== 1 && (isResting || stretch > 2.5 || stretch < 0.5)) {
      // What was shown last stays behind the new layer until that is drawn.
      if (layer && layer.tiles.size > 0) {
        drop(behind);
        behind = layer;
      }
      layer = layerAt(camera.scale);
    }
    if (!layer) return false;

    const side = tilePx / ratio / layer.scale;
    const seen = seenBox(camera, view);
    const wanted = tilesIn(seen, side);
    const remain = !paintAll(layer, wanted, startedMs + FRAME_BUDGET_MS);
    if (!remain && isResting) {
      drop(behind);
      behind = undefined;
    }
    // What lies just out of sight is drawn while there is nothing else to do, so that a pan finds it there.
    const near = tilesIn(grown(seen, side), side);
    const isReady = !remain && isResting && paintAll(layer, near, startedMs + SPARE_TIME_MS);
    if (layer.tiles.size > near.length + SPARE_TILES) drop(layer, new Set(near.map(({ key }) => key)));
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    if (remain || !isResting) {
      const inPx = { width: view.width * ratio, height: view.height * ratio };
      paintGround(ctx, chart, theme, { ...camera, scale: camera.scale * ratio }, inPx, ratio);
      copy(ctx, behind, camera, view);
    }
    copy(ctx, layer, camera, view);
    return !isReady;
  };

  const setCodes = (next: Uint8Array): void => {
    for (let seat = 0; seat < next.length; seat += 1) {
      if (next[seat] !== codes[seat]) layer?.note(seat);
    }
    codes = next;
  };
  return { draw, setCodes };
}
