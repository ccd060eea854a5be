import { list, numbers, record, string, strings, indexes, finite } from './validate.js';
import { outline } from './outline.js';

/** The chart of a date: everything about its seats that never changes. A seat is identified by its index in the chart. */
export interface Chart {
  readonly scheduleId: string;
  readonly currency: string;
  readonly size: { readonly width: number; readonly height: number };
  readonly stage: Box;
  readonly grades: readonly Grade[];
  readonly sections: readonly Section[];
  readonly rows: readonly Row[];
  readonly seats: Seats;
  /** The median distance between neighbouring seats, in chart units. Seats are drawn relative to it. */
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
  /** Its rows from top to bottom; vertical rows from left to right. */
  readonly rows: readonly number[];
  readonly seatCount: number;
  /** The most common grade of its seats. */
  readonly grade: number;
  /** The corners of its outline: x0, y0, x1, y1, … */
  readonly outline: Float32Array;
}

export interface Row {
  readonly section: number;
  readonly name: string;
  /** Its seats from left to right; in a vertical row from top to bottom. */
  readonly seats: readonly number[];
  readonly isVertical: boolean;
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

/** Decodes the response of `GET /schedules/{id}/chart`; throws a TypeError if it is malformed. */
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
  const rows = buildRows(heads, seats);
  const size = record(body['size'], 'size');
  return {
    scheduleId: string(body['scheduleId'], 'scheduleId'),
    currency: string(body['currency'], 'currency'),
    size: { width: finite(size['width'], 'size.width'), height: finite(size['height'], 'size.height') },
    stage: box(record(body['stage'], 'stage'), 'stage'),
    grades,
    sections: buildSections(boxes, rows, seats),
    rows,
    seats,
    spacing: medianSpacing(rows, seats),
    indexOfId: new Map(seats.id.map((id, index) => [id, index])),
  };
}

/** The grades in a section, the dearest first. */
export function gradesOf({ rows, seats }: Chart, section: Section): readonly number[] {
  const grades = new Set<number>();
  for (const row of section.rows)
    for (const seat of rows[row]?.seats ?? []) grades.add(seats.grade[seat] ?? 0);
  return [...grades].sort((a, b) => a - b);
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
    row: Uint32Array.from(indexes(value['row'], rowCount, 'seats.row')),
    grade: Uint16Array.from(indexes(value['grade'], gradeCount, 'seats.grade')),
    x: Float32Array.from(numbers(value['x'], 'seats.x')),
    y: Float32Array.from(numbers(value['y'], 'seats.y')),
  };
  for (const column of [seats.number, seats.label, seats.row, seats.grade, seats.x, seats.y]) {
    if (column.length !== seats.count) throw new TypeError('chart: the columns of seats differ in length');
  }
  return seats;
}

function buildRows(heads: readonly { section: number; name: string }[], seats: Seats): Row[] {
  const members = heads.map((): number[] => []);
  for (let seat = 0; seat < seats.count; seat += 1) members[seats.row[seat] ?? 0]?.push(seat);
  return heads.map(({ section, name }, index) => {
    const inRow = members[index] ?? [];
    const isVertical = extent(inRow, seats.y) > extent(inRow, seats.x);
    const along = isVertical ? seats.y : seats.x;
    return { section, name, isVertical, seats: inRow.sort((a, b) => at(along, a) - at(along, b)) };
  });
}

function buildSections(boxes: readonly (Box & { name: string })[], rows: readonly Row[], seats: Seats) {
  const members = boxes.map((): number[] => []);
  rows.forEach((row, index) => {
    if (row.seats.length > 0) members[row.section]?.push(index);
  });
  return boxes.map((head, index): Section => {
    const mine = members[index] ?? [];
    const place = new Map(mine.map((row) => [row, rowPosition(rows[row], seats)]));
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

/** The sort key of a row within its section: the mean of its seats across the row's direction. */
function rowPosition(row: Row | undefined, seats: Seats): number {
  if (!row) return 0;
  const across = row.isVertical ? seats.x : seats.y;
  return row.seats.reduce((sum, seat) => sum + at(across, seat), 0) / row.seats.length;
}

function mostCommon(inside: readonly number[], grade: Uint16Array): number {
  const counts = new Map<number, number>();
  for (const seat of inside) counts.set(grade[seat] ?? 0, (counts.get(grade[seat] ?? 0) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

/** The median, so that single gaps such as aisles have no influence. */
function medianSpacing(rows: readonly Row[], { x, y }: Seats): number {
  const gaps = rows.flatMap((row) =>
    row.seats.slice(1).map((seat, before) => {
      const left = row.seats[before] ?? seat;
      return Math.hypot(at(x, seat) - at(x, left), at(y, seat) - at(y, left));
    }),
  );
  const median = gaps.sort((a, b) => a - b)[gaps.length >> 1] ?? 1;
  return median > 0 ? median : 1;
}
