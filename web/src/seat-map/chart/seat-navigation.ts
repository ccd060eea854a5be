import type { Chart, Row } from './chart.js';

export type Move =
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'rowStart'
  | 'rowEnd'
  | 'previousSection'
  | 'nextSection'
  | 'first'
  | 'last';

/** The seat that a move leads to; the same seat if there is none in that direction. */
export function moveFrom(chart: Chart, seat: number, move: Move): number {
  const row = chart.rows[chart.seats.row[seat] ?? 0];
  return (row && target(chart, row, seat, move)) ?? seat;
}

function target(chart: Chart, row: Row, seat: number, move: Move): number | undefined {
  switch (move) {
    case 'rowStart':
      return row.seats[0];
    case 'rowEnd':
      return row.seats.at(-1);
    case 'previousSection':
      return firstSeatOfNextSection(chart, row.section, -1);
    case 'nextSection':
      return firstSeatOfNextSection(chart, row.section, 1);
    case 'first':
      return firstSeatOfNextSection(chart, -1, 1);
    case 'last':
      return chart.rows[chart.sections.findLast(hasSeats)?.rows.at(-1) ?? -1]?.seats.at(-1);
    case 'left':
    case 'right':
    case 'up':
    case 'down':
      return step(chart, row, seat, move);
  }
}

/** The next free seat in chart order, wrapping around; the same seat if none is free. */
export function nextFree(
  count: number,
  seat: number,
  direction: 1 | -1,
  isFree: (seat: number) => boolean,
): number {
  for (let away = 1; away <= count; away += 1) {
    const candidate = (seat + direction * away + count * 2) % count;
    if (isFree(candidate)) return candidate;
  }
  return seat;
}

type Arrow = 'left' | 'right' | 'up' | 'down';

/** Moves within the row or to the next row; at the edge of the section, to another section in that direction. */
function step(chart: Chart, row: Row, seat: number, arrow: Arrow): number {
  const forwards = arrow === 'right' || arrow === 'down' ? 1 : -1;
  const isAlong = (arrow === 'up' || arrow === 'down') === row.isVertical;
  const inSection = isAlong
    ? row.seats[row.seats.indexOf(seat) + forwards]
    : nearestInRow(chart, nextRow(chart, row, forwards), seat);
  return inSection ?? nextSeatTowards(chart, row.section, seat, arrow);
}

function nextRow(chart: Chart, row: Row, forwards: 1 | -1): Row | undefined {
  const order = chart.sections[row.section]?.rows ?? [];
  const place = order.findIndex((index) => chart.rows[index] === row);
  return chart.rows[order[place + forwards] ?? -1];
}

function nearestInRow({ seats: { x, y } }: Chart, row: Row | undefined, seat: number): number | undefined {
  if (!row) return undefined;
  const along = row.isVertical ? y : x;
  const away = (other: number): number => Math.abs((along[other] ?? 0) - (along[seat] ?? 0));
  return row.seats.reduce<number | undefined>(
    (best, other) => (best === undefined || away(other) < away(best) ? other : best),
    undefined,
  );
}

/** The nearest seat of another section within 45° of the direction of the move. */
function nextSeatTowards({ seats, rows }: Chart, section: number, seat: number, arrow: Arrow): number {
  const [towardsX, towardsY] = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }[arrow] as [
    number,
    number,
  ];
  let best = seat;
  let cost = Infinity;
  for (let other = 0; other < seats.count; other += 1) {
    const dx = (seats.x[other] ?? 0) - (seats.x[seat] ?? 0);
    const dy = (seats.y[other] ?? 0) - (seats.y[seat] ?? 0);
    const ahead = dx * towardsX + dy * towardsY;
    const aside = Math.abs(dx * towardsY) + Math.abs(dy * towardsX);
    const here = ahead + 2 * aside;
    if (ahead <= 0 || aside > ahead || here >= cost) continue;
    if (rows[seats.row[other] ?? 0]?.section === section) continue;
    best = other;
    cost = here;
  }
  return best;
}

/** The first seat of the next section that has seats. */
function firstSeatOfNextSection(chart: Chart, section: number, direction: 1 | -1): number | undefined {
  let at = section + direction;
  while (at in chart.sections && !hasSeats(chart.sections[at])) at += direction;
  return chart.rows[chart.sections[at]?.rows[0] ?? -1]?.seats[0];
}

const hasSeats = (section: { readonly rows: readonly number[] } | undefined): boolean =>
  (section?.rows.length ?? 0) > 0;
