import { list, numbers, record, string, strings, wholeNumbers, finite } from './shape.js';
import { outline } from './outline.js';

/** The chart of a date: what never changes about its seats. Everywhere else a seat is its index here. */
export interface Chart {
  readonly scheduleId: string;
  readonly currency: string;
  readonly size: { readonly width: number; readonly height: number };
  readonly stage: Box;
  readonly grades: readonly Grade[];
  readonly sections: readonly Section[];
  readonly rows: readonly Row[];
  readonly seats: Seats;
  /** How far neighbours in a row sit from each other, in the chart's unit: what a seat's drawn size follows. */
  readonly spacing: number;
  readonly indexOfId: ReadonlyMap<string, number>;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Grade {
  readonly grade: string;
  readonly price: number;
}

export interface Section extends Box {
  readonly name: string;
  /** Its rows from the top down (from the left, where rows run downwards). */
  readonly rows: readonly number[];
  readonly seatCount: number;
  /** The grade most of its seats have. */
  readonly grade: number;
  /** Corners around its seats, x and y in turn. */
  readonly outline: Float32Array;
}

export interface Row {
  readonly section: number;
  readonly name: string;
  /** Its seats from left to right (from the top down, where the row runs downwards). */
  readonly seats: readonly number[];
  readonly runsDown: boolean;
}

export interface Seats {
  readonly count: number;
  readonly id: readonly string[];
  readonly number: readonly string[];
  readonly label: readonly string[];
  readonly row: Uint32Array;
  readonly grade: Uint16Array;
  readonly x: Float32Array;
  readonly y: Float32Array;
}

/** Reads the answer of `GET /schedules/{id}/chart`, and throws when it is not one. */
export function decodeChart(value: unknown): Chart {
  const body = record(value, 'chart');
  const grades = list(body['grades'], 'grades').map((entry, at) => {
    const grade = record(entry, `grades[${at}]`);
    return { grade: string(grade['grade'], 'grade'), price: finite(grade['price'], 'price') };
  });
  const boxes = list(body['sections'], 'sections').map((entry, at) => {
    const section = record(entry, `sections[${at}]`);
    return { name: string(section['name'], 'section name'), ...box(section, `sections[${at}]`) };
  });
  const heads = list(body['rows'], 'rows').map((entry, at) => {
    const row = record(entry, `rows[${at}]`);
    const section = finite(row['section'], `rows[${at}].section`);
    if (!(section in boxes)) throw new TypeError(`chart: rows[${at}] is in no section`);
    return { section, name: string(row['name'], `rows[${at}].name`) };
  });
  const seats = readSeats(record(body['seats'], 'seats'), heads.length, grades.length);
  const rows = gatherRows(heads, seats);
  const size = record(body['size'], 'size');
  return {
    scheduleId: string(body['scheduleId'], 'scheduleId'),
    currency: string(body['currency'], 'currency'),
    size: { width: finite(size['width'], 'size.width'), height: finite(size['height'], 'size.height') },
    stage: box(record(body['stage'], 'stage'), 'stage'),
    grades,
    sections: gatherSections(boxes, rows, seats),
    rows,
    seats,
    spacing: usualSpacing(rows, seats),
    indexOfId: new Map(seats.id.map((id, index) => [id, index])),
  };
}

function box(value: Record<string, unknown>, where: string): Box {
  return {
    x: finite(value['x'], `${where}.x`),
    y: finite(value['y'], `${where}.y`),
    width: finite(value['width'], `${where}.width`),
    height: finite(value['height'], `${where}.height`),
  };
}

function readSeats(value: Record<string, unknown>, rowCount: number, gradeCount: number): Seats {
  const id = strings(value['id'], 'seats.id');
  const seats = {
    count: id.length,
    id,
    number: strings(value['number'], 'seats.number'),
    label: strings(value['label'], 'seats.label'),
    row: Uint32Array.from(wholeNumbers(value['row'], rowCount, 'seats.row')),
    grade: Uint16Array.from(wholeNumbers(value['grade'], gradeCount, 'seats.grade')),
    x: Float32Array.from(numbers(value['x'], 'seats.x')),
    y: Float32Array.from(numbers(value['y'], 'seats.y')),
  };
  for (const column of [seats.number, seats.label, seats.row, seats.grade, seats.x, seats.y]) {
    if (column.length !== seats.count) throw new TypeError('chart: the columns of seats differ in length');
  }
  return seats;
}

function gatherRows(heads: readonly { section: number; name: string }[], seats: Seats): Row[] {
  const members = heads.map((): number[] => []);
  for (let seat = 0; seat < seats.count; seat += 1) members[seats.row[seat] ?? 0]?.push(seat);
  return heads.map(({ section, name }, index) => {
    const inRow = members[index] ?? [];
    const runsDown = extent(inRow, seats.y) > extent(inRow, seats.x);
    const along = runsDown ? seats.y : seats.x;
    return { section, name, runsDown, seats: inRow.sort((a, b) => at(along, a) - at(along, b)) };
  });
}

function gatherSections(boxes: readonly (Box & { name: string })[], rows: readonly Row[], seats: Seats) {
  const members = boxes.map((): number[] => []);
  rows.forEach((row, index) => {
    if (row.seats.length > 0) members[row.section]?.push(index);
  });
  return boxes.map((head, index): Section => {
    const mine = members[index] ?? [];
    const place = new Map(mine.map((row) => [row, middle(rows[row], seats)]));
    mine.sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0));
    const inside = mine.flatMap((row) => rows[row]?.seats ?? []);
    return {
      ...head,
      rows: mine,
      seatCount: inside.length,
      grade: mostCommon(inside, seats.grade),
      outline: outline(inside, seats.x, seats.y),
    };
  });
}

const at = (column: Float32Array, seat: number): number => column[seat] ?? 0;

function extent(inRow: readonly number[], column: Float32Array): number {
  let low = Infinity;
  let high = -Infinity;
  for (const seat of inRow) {
    low = Math.min(low, at(column, seat));
    high = Math.max(high, at(column, seat));
  }
  return inRow.length === 0 ? 0 : high - low;
}

/** Where a row lies among the rows of its section: its mean, across the way it runs. */
function middle(row: Row | undefined, seats: Seats): number {
  if (!row) return 0;
  const across = row.runsDown ? seats.x : seats.y;
  return row.seats.reduce((sum, seat) => sum + at(across, seat), 0) / row.seats.length;
}

function mostCommon(inside: readonly number[], grade: Uint16Array): number {
  const counts = new Map<number, number>();
  for (const seat of inside) counts.set(grade[seat] ?? 0, (counts.get(grade[seat] ?? 0) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

/** The median distance between neighbours, so that one odd gap (an aisle, two seats on one spot) changes nothing. */
function usualSpacing(rows: readonly Row[], { x, y }: Seats): number {
  const gaps = rows.flatMap((row) =>
    row.seats.slice(1).map((seat, before) => {
      const left = row.seats[before] ?? seat;
      return Math.hypot(at(x, seat) - at(x, left), at(y, seat) - at(y, left));
    }),
  );
  const median = gaps.sort((a, b) => a - b)[gaps.length >> 1] ?? 1;
  return median > 0 ? median : 1;
}
