import { Refusal } from '../kernel/refusal.js';
import { labelOf } from '../catalog/add-concert.js';
import { spread } from './min-max.js';
import type { SeatToAdd } from '../catalog/queries.js';
import { alongTheRow } from './seat-runs.js';
import { HUNDREDTHS } from './seat-geometry.js';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A hall as seating-plan editors write it: zones of rows of seats, each placed relative to what it is in. */
export interface SeatingPlan {
  readonly categories: readonly { readonly name: string }[];
  readonly zones: readonly {
    readonly name: string;
    readonly position?: Point;
    readonly rows: readonly {
      readonly row_number: string;
      readonly position?: Point;
      readonly seats: readonly {
        readonly seat_number: string;
        readonly seat_guid?: string;
        readonly position: Point;
        readonly category: string;
      }[];
    }[];
  }[];
}

interface PlanSeat {
  /** Its place is said in the plan's own unit. */
  readonly seat: SeatToAdd;
  readonly at: Point;
  /** Which of the plan's rows it is in. */
  readonly row: number;
  /** Where the plan says so, for a refusal. */
  readonly field: string;
}

const ORIGIN: Point = { x: 0, y: 0 };
/** In distances between neighbours; beyond it something is wrong with the plan, and no screen could show it. */
const HALL_MAX = 5000;
const PLAIN_NUMBER = /^(0|[1-9]\d{0,8})$/;

/** The seats of a plan in its own order, each at its place. Refuses what could not be sold or shown, and says where it is. */
export function importPlan(
  plan: SeatingPlan,
  prices: Readonly<Record<string, number>>,
  field: string,
): SeatToAdd[] {
  requirePrices(plan, prices, field);
  const seats = readSeats(plan, prices, field);
  requireUnique(seats.map(({ seat, field: where }) => [seat.label, `${where}/seat_number`]));
  const unit = unitOf(seats);
  const placed = seats.map(({ seat, at }) => ({
    ...seat,
    x: Math.round((at.x / unit) * HUNDREDTHS),
    y: Math.round((at.y / unit) * HUNDREDTHS),
  }));
  for (const axis of ['x', 'y'] as const) {
    if (spread(placed.map((seat) => seat[axis])) > HALL_MAX * HUNDREDTHS) throw refused(`${field}/plan`);
  }
  requireUnique(placed.map(({ x, y }, index) => [`${x} ${y}`, `${seats[index]?.field ?? field}/position`]));
  return placed;
}

/** Every category is named once, and every price belongs to one. */
function requirePrices({ categories }: SeatingPlan, prices: Readonly<Record<string, number>>, field: string) {
  requireUnique(categories.map(({ name }, index) => [name, `${field}/plan/categories/${index}/name`]));
  const names = new Set(categories.map(({ name }) => name));
  if (Object.keys(prices).some((name) => !names.has(name))) throw refused(`${field}/prices`);
}

function readSeats(plan: SeatingPlan, prices: Readonly<Record<string, number>>, field: string): PlanSeat[] {
  const known = new Set(plan.categories.map(({ name }) => name));
  const seats: PlanSeat[] = [];
  const guids: [string, string][] = [];
  let rowCount = 0;
  plan.zones.forEach((zone, z) => {
    zone.rows.forEach((row, r) => {
      const corner = sum(zone.position ?? ORIGIN, row.position ?? ORIGIN);
      row.seats.forEach((seat, s) => {
        const where = `${field}/plan/zones/${z}/rows/${r}/seats/${s}`;
        if (!known.has(seat.category)) throw refused(`${where}/category`);
        const price = Object.hasOwn(prices, seat.category) ? prices[seat.category] : undefined;
        if (price === undefined) throw refused(`${field}/prices`);
        if (seat.seat_guid !== undefined) guids.push([seat.seat_guid, `${where}/seat_guid`]);
        const isPlain = PLAIN_NUMBER.test(seat.seat_number);
        seats.push({
          seat: {
            section: zone.name,
            row_name: row.row_number,
            number: isPlain ? Number(seat.seat_number) : s + 1,
            number_name: isPlain ? null : seat.seat_number,
            label: labelOf(zone.name, row.row_number, seat.seat_number),
            grade: seat.category,
            price,
            x: null,
            y: null,
          },
          at: sum(corner, seat.position),
          row: rowCount,
          field: where,
        });
      });
      rowCount += 1;
    });
  });
  requireUnique(guids);
  if (seats.length === 0) throw refused(`${field}/plan/zones`);
  return seats;
}

/** How far apart neighbours are on this plan, whatever its unit: the middle one of all distances along the rows. */
function unitOf(seats: readonly PlanSeat[]): number {
  const x = seats.map(({ at }) => at.x);
  const y = seats.map(({ at }) => at.y);
  const rows: number[][] = [];
  seats.forEach(({ row }, seat) => (rows[row] ??= []).push(seat));
  const apart = rows.flatMap((row) =>
    alongTheRow(row, { x, y }).flatMap((seat, index, along) => {
      const before = seats[along[index - 1] ?? -1]?.at;
      const at = seats[seat]?.at;
      return before && at ? [Math.hypot(at.x - before.x, at.y - before.y)] : [];
    }),
  );
  const distances = apart.filter((distance) => distance > 0).sort((a, b) => a - b);
  return distances[Math.floor(distances.length / 2)] ?? 1;
}

function requireUnique(named: readonly (readonly [value: string, field: string])[]): void {
  const seen = new Set<string>();
  for (const [value, field] of named) {
    if (seen.has(value)) throw refused(field);
    seen.add(value);
  }
}

const sum = (a: Point, b: Point): Point => ({ x: a.x + b.x, y: a.y + b.y });
const refused = (field: string): Refusal => new Refusal('INVALID_REQUEST', { field });
