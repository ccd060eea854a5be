/** A hall as seating-plan editors write it, with only what a sale needs: the rest of a file is passed over. */
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

/** Where in a plan: names where they are known, else which one of the list it is. */
export interface PlanPlace {
  readonly zone?: string | number;
  readonly row?: string | number;
  readonly seat?: string | number;
  readonly member?: string;
}

export type PlanFaultKind =
  | {
      readonly kind: 'notAnObject' | 'notAList' | 'emptyList' | 'sameSeat' | 'samePlace' | 'sameGuid';
    }
  | { readonly kind: 'tooMany' | 'notText' | 'notPoint'; readonly max: number }
  | { readonly kind: 'noSuchCategory' | 'sameCategory'; readonly name: string };

export interface PlanFault {
  readonly at: PlanPlace;
  readonly what: PlanFaultKind;
}

/** Every seat with its place in the hall. */
export function* seatsOf(plan: Plan): Generator<{ zone: PlanZone; row: PlanRow; seat: PlanSeat; at: Point }> {
  for (const zone of plan.zones)
    for (const row of zone.rows)
      for (const seat of row.seats) {
        const x = zone.position.x + row.position.x + seat.position.x;
        yield { zone, row, seat, at: { x, y: zone.position.y + row.position.y + seat.position.y } };
      }
}

/** How many seats each category has, in the plan's order; those without seats need no price. */
export function countByCategory(plan: Plan): ReadonlyMap<string, number> {
  const counts = new Map(plan.categories.map(({ name }) => [name, 0]));
  for (const { seat } of seatsOf(plan)) counts.set(seat.category, (counts.get(seat.category) ?? 0) + 1);
  return new Map([...counts].filter(([, count]) => count > 0));
}
