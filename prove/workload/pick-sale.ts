import type { Random } from '../random.js';
import type { Sale, SaleKind } from '../scenario/scenario.js';

/** How many fans choose a sale of this kind, relative to the others. */
const WEIGHTS: Readonly<Record<SaleKind, number>> = {
  main: 30,
  portions: 10,
  idle: 14,
  reservation: 8,
  edited: 10,
  timed: 7,
  past: 7,
  ended: 7,
  'sold-out': 7,
};
/** Fans try to join a short sale from shortly before it opens until some time after it has closed. */
const EARLY_MS = 500;
const VISITED_MS = 20_000;

export function createSalePicker(sales: readonly Sale[]): (random: Random) => Sale {
  return (random) => {
    const nowMs = Date.now();
    const open = sales.filter(
      ({ opensAtMs }) =>
        opensAtMs === null || (opensAtMs - EARLY_MS <= nowMs && nowMs < opensAtMs + VISITED_MS),
    );
    let left = random.between(
      0,
      open.reduce((sum, { kind }) => sum + WEIGHTS[kind], 0),
    );
    const picked = open.find(({ kind }) => (left -= WEIGHTS[kind]) < 0) ?? open[0];
    if (!picked) throw new Error('No sale is open.');
    return picked;
  };
}
