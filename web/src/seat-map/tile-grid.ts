import type { Box } from './chart.js';

/** The tiles that cover a part of the world, the ones in the middle first: the eye is there. */
export function tilesIn(seen: Box, side: number): { key: string; box: Box }[] {
  const found: { key: string; box: Box; away: number }[] = [];
  for (let line = Math.floor(seen.y / side); line * side < seen.y + seen.height; line += 1) {
    for (let column = Math.floor(seen.x / side); column * side < seen.x + seen.width; column += 1) {
      const box = { x: column * side, y: line * side, width: side, height: side };
      const away = Math.hypot(
        box.x + side / 2 - seen.x - seen.width / 2,
        box.y + side / 2 - seen.y - seen.height / 2,
      );
      found.push({ key: `${column},${line}`, box, away });
    }
  }
  return found.sort((a, b) => a.away - b.away);
}

export const grown = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
});
