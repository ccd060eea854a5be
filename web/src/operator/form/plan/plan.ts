/** The parts of the common seating-plan format that a sale needs. Everything else in a file is ignored. */
export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface PlanSeat {
  readonly seat_number: string;
  readonly seat_guid?: string;
  readonly position: Point;
  readonly category: string;
}
export interface PlanRow {
  readonly row_number: string;
  readonly position: Point;
  readonly seats: PlanSeat[];
}
export interface PlanZone {
  readonly name: string;
  readonly position: Point;
  readonly rows: PlanRow[];
}
export interface Plan {
  readonly categories: { readonly name: string }[];
  readonly zones: PlanZone[];
}

/** A location in a plan: names where they are known, else list indexes. */
export interface PlanLocation {
  readonly zone?: string | number;
  readonly row?: string | number;
  readonly seat?: string | number;
  readonly member?: string;
}

export type PlanErrorKind =
  | {
      readonly kind: 'notAnObject' | 'notAList' | 'emptyList' | 'sameSeat' | 'samePosition' | 'sameGuid';
    }
  | { readonly kind: 'tooMany' | 'notText' | 'notPoint'; readonly max: number }
  | { readonly kind: 'noSuchCategory' | 'sameCategory'; readonly name: string };

export interface PlanError {
  readonly at: PlanLocation;
  readonly what: PlanErrorKind;
}

/** Yields every seat with its absolute position. */
export function* eachSeat(
  plan: Plan,
): Generator<{ zone: PlanZone; row: PlanRow; seat: PlanSeat; at: Point }> {
  for (const zone of plan.zones)
    for (const row of zone.rows)
      for (const seat of row.seats) {
        const x = zone.position.x + row.position.x + seat.position.x;
        yield { zone, row, seat, at: { x, y: zone.position.y + row.position.y + seat.position.y } };
      }
}

/** Seat counts by category, in the plan's order. Categories without seats are left out: they need no price. */
export function countByCategory(plan: Plan): ReadonlyMap<string, number> {
  const counts = new Map(plan.categories.map(({ name }) => [name, 0]));
  for (const { seat } of eachSeat(plan)) counts.set(seat.category, (counts.get(seat.category) ?? 0) + 1);
  return new Map([...counts].filter(([, count]) => count > 0));
}
