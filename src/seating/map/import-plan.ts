import type { Static } from 'typebox';
import type { FaultList } from '../../kernel/fault-list.js';
import type { NewSeat } from '../queries.js';
import { labelOf } from './add-seats.js';
import type { PlanSchema, Point } from './layout-schemas.js';
import { rangeOf } from './min-max.js';
import { HUNDREDTHS } from './seat-geometry.js';
import { sortAlongRow } from './seat-runs.js';

type SeatingPlan = Static<typeof PlanSchema>;
type Prices = Readonly<Record<string, number>>;

interface PlanSeat {
  /** Without its position, which depends on the unit of the plan. */
  readonly seat: NewSeat;
  /** In the unit of the plan. */
  readonly position: Point;
  /** The index of its row among all rows of the plan. */
  readonly row: number;
  /** The path in the request body, for refusals. */
  readonly path: string;
}

const ORIGIN: Point = { x: 0, y: 0 };
/** In distances between neighbouring seats. A larger plan is an error, and no screen could show it. */
const EXTENT_MAX = 5000;
const PLAIN_NUMBER = /^(0|[1-9]\d{0,8})$/;

/**
 * The seats of a plan, in the order of the plan. Faults make a plan that cannot be sold or shown; the seats are then
 * incomplete. `path` is the path of the date in the request body.
 */
export function importPlan(plan: SeatingPlan, prices: Prices, path: string, faults: FaultList): NewSeat[] {
  checkPrices(plan, prices, path, faults);
  const planSeats = readSeats(plan, prices, path, faults);
  checkUnique(
    planSeats.map(({ seat, path: seatPath }) => [seat.label, `${seatPath}/seat_number`]),
    faults,
  );
  const unit = neighbourDistanceOf(planSeats);
  const seats = planSeats.map(({ seat, position }) => ({
    ...seat,
    x: Math.round((position.x / unit) * HUNDREDTHS),
    y: Math.round((position.y / unit) * HUNDREDTHS),
  }));
  for (const axis of ['x', 'y'] as const) {
    if (rangeOf(seats.map((seat) => seat[axis])) > EXTENT_MAX * HUNDREDTHS)
      faults.add(
        `${path}/plan`,
        `must not be larger than ${EXTENT_MAX} distances between neighbouring seats`,
      );
  }
  checkUnique(
    seats.map(({ x, y }, index) => [`${x} ${y}`, `${planSeats[index]?.path ?? path}/position`]),
    faults,
  );
  return seats;
}

/** Category names are unique, and prices and categories belong together. */
function checkPrices({ categories }: SeatingPlan, prices: Prices, path: string, faults: FaultList): void {
  checkUnique(
    categories.map(({ name }, index) => [name, `${path}/plan/categories/${index}/name`]),
    faults,
  );
  const names = new Set(categories.map(({ name }) => name));
  if (Object.keys(prices).some((name) => !names.has(name)))
    faults.add(`${path}/prices`, 'must only name categories of the plan');
}

function readSeats(plan: SeatingPlan, prices: Prices, path: string, faults: FaultList): PlanSeat[] {
  const categories = new Set(plan.categories.map(({ name }) => name));
  const seats: PlanSeat[] = [];
  const guids: [string, string][] = [];
  const withoutPrice = new Set<string>();
  let rowCount = 0;
  plan.zones.forEach((zone, z) => {
    zone.rows.forEach((row, r) => {
      const origin = sum(zone.position ?? ORIGIN, row.position ?? ORIGIN);
      row.seats.forEach((seat, s) => {
        const seatPath = `${path}/plan/zones/${z}/rows/${r}/seats/${s}`;
        const price = Object.hasOwn(prices, seat.category) ? prices[seat.category] : undefined;
        if (!categories.has(seat.category))
          faults.add(`${seatPath}/category`, 'must be in the list of categories');
        else if (price === undefined) withoutPrice.add(seat.category);
        if (seat.seat_guid !== undefined) guids.push([seat.seat_guid, `${seatPath}/seat_guid`]);
        const isPlain = PLAIN_NUMBER.test(seat.seat_number);
        seats.push({
          seat: {
            section: zone.name,
            row_name: row.row_number,
            number: isPlain ? Number(seat.seat_number) : s + 1,
            number_name: isPlain ? null : seat.seat_number,
            label: labelOf(zone.name, row.row_number, seat.seat_number),
            grade: seat.category,
            price: price ?? 0,
            x: null,
            y: null,
          },
          position: sum(origin, seat.position),
          row: rowCount,
          path: seatPath,
        });
      });
      rowCount += 1;
    });
  });
  checkUnique(guids, faults);
  if (withoutPrice.size > 0) faults.add(`${path}/prices`, 'must have a price for every category with seats');
  if (seats.length === 0) faults.add(`${path}/plan/zones`, 'must have at least one seat');
  return seats;
}

/** The distance between neighbouring seats in the unit of the plan: the median of all distances along the rows. */
function neighbourDistanceOf(seats: readonly PlanSeat[]): number {
  const x = seats.map(({ position }) => position.x);
  const y = seats.map(({ position }) => position.y);
  const rows: number[][] = [];
  seats.forEach(({ row }, seat) => (rows[row] ??= []).push(seat));
  const distances = rows.flatMap((row) =>
    sortAlongRow(row, { x, y }).flatMap((seat, index, sorted) => {
      const previous = seats[sorted[index - 1] ?? -1]?.position;
      const position = seats[seat]?.position;
      return previous && position ? [Math.hypot(position.x - previous.x, position.y - previous.y)] : [];
    }),
  );
  const positive = distances.filter((distance) => distance > 0).sort((a, b) => a - b);
  return positive[Math.floor(positive.length / 2)] ?? 1;
}

function checkUnique(values: readonly (readonly [value: string, path: string])[], faults: FaultList): void {
  const seen = new Set<string>();
  for (const [value, path] of values) {
    if (seen.has(value)) faults.add(path, 'must be unique');
    seen.add(value);
  }
}

const sum = (a: Point, b: Point): Point => ({ x: a.x + b.x, y: a.y + b.y });
