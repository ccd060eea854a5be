import fc from 'fast-check';
import { expect, it } from 'vitest';
import { arrangeBlocks } from '../../src/seating/map/arrange-blocks.js';
import { layOutBlocks } from '../../web/src/operator/form/preview/layout-preview.js';

const block = fc.record({
  grade: fc.constantFrom('VIP', 'R', 'S'),
  rows: fc.integer({ min: 1, max: 30 }),
  seatsPerRow: fc.integer({ min: 1, max: 40 }),
});

it('the preview of a new hall matches the server’s layout', () => {
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 12 }), (blocks) => {
      const server = arrangeBlocks(
        blocks.map(({ grade, rows, seatsPerRow }) => ({
          grade,
          rows: Array.from({ length: rows }, () => seatsPerRow),
        })),
      );
      let first = 0;
      const corners = blocks.map(({ rows, seatsPerRow }) => {
        const corner = { left: server.x[first], front: server.y[first] };
        first += rows * seatsPerRow;
        return corner;
      });
      expect(layOutBlocks(blocks)).toEqual(corners);
    }),
  );
});
