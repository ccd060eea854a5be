import type { Box } from '../chart/chart.js';

/** The tiles that cover a part of the world, from the centre outwards. */
export function tilesCovering(visible: Box, side: number): { key: string; box: Box }[] {
  const found: { key: string; box: Box; distance: number }[] = [];
  for (let row = Math.floor(visible.y / side); row * side < visible.y + visible.height; row += 1) {
    for (let column = Math.floor(visible.x / side); column * side < visible.x + visible.width; column += 1) {
      const box = { x: column * side, y: row * side, width: side, height: side };
      const distance = Math.hypot(
        box.x + side / 2 - visible.x - visible.width / 2,
        box.y + side / 2 - visible.y - visible.height / 2,
      );
      found.push({ key: `${column},${row}`, box, distance });
    }
  }
  return found.sort((a, b) => a.distance - b.distance);
}

export const expand = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
});
