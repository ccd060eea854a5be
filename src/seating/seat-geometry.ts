import { maxOf, minOf, spread } from './min-max.js';
import { type Block, arrangeBlocks, type Places } from './arrange-blocks.js';
import type { SeatRow } from '../catalog/queries.js';

/** Positions are stored as whole numbers: hundredths of the distance between neighbours. */
export const HUNDREDTHS = 100;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where everything of one date stands; the unit is the distance between neighbouring seats. Never changes. */
export interface SeatGeometry {
  readonly size: { readonly width: number; readonly height: number };
  readonly stage: Box;
  readonly sections: readonly (Box & { readonly name: string })[];
  /** Each with the index of its section. */
  readonly rows: readonly { readonly section: number; readonly name: string }[];
  /** By the seat's place on the chart: the index of its row, and its middle. */
  readonly rowOf: readonly number[];
  readonly x: readonly number[];
  readonly y: readonly number[];
}

type Placed = Pick<SeatRow, 'section' | 'row' | 'grade' | 'x' | 'y'>;

/** Around the whole, and around the middles of a section's outermost seats. */
const MARGIN = 2;
const SECTION_MARGIN = 0.8;
const STAGE_TO_SEATS = 4;
const STAGE_SHARE = 0.4;
const STAGE_WIDTH_MIN = 6;
const STAGE_DEPTH_MIN = 3;
const STAGE_DEPTH_TO_WIDTH = 0.15;

const rounded = (value: number): number => Math.round(value * HUNDREDTHS) / HUNDREDTHS;

/** The plan of seats in chart order: as it was imported, or laid out in front of a stage. */
export function computeGeometry(seats: readonly Placed[]): SeatGeometry {
  const { names, rows, rowOf } = groupsOf(seats);
  const places = storedPlaces(seats) ?? arrangeBlocks(blocksOf(seats, names.length, rows, rowOf));
  const seatsWide = spread(places.x);
  const stageWidth = rounded(Math.max(STAGE_WIDTH_MIN, seatsWide * STAGE_SHARE));
  const stageHeight = rounded(Math.max(STAGE_DEPTH_MIN, stageWidth * STAGE_DEPTH_TO_WIDTH));
  const width = rounded(Math.max(seatsWide, stageWidth) + 2 * MARGIN);
  const stage = {
    x: rounded((width - stageWidth) / 2),
    y: MARGIN,
    width: stageWidth,
    height: stageHeight,
  };
  const right = (width - seatsWide) / 2 - minOf(places.x);
  const down = stage.y + stage.height + STAGE_TO_SEATS - minOf(places.y);
  const x = places.x.map((value) => rounded(value + right));
  const y = places.y.map((value) => rounded(value + down));
  const height = rounded(maxOf(y) + MARGIN);
  return {
    size: { width, height },
    stage,
    sections: boxesOf(names, rows, rowOf, x, y),
    rows,
    rowOf,
    x,
    y,
  };
}

/** A new row, or section, begins where its name is another than that of the seat before. */
function groupsOf(seats: readonly Placed[]): {
  names: string[];
  rows: { section: number; name: string }[];
  rowOf: number[];
} {
  const names: string[] = [];
  const rows: { section: number; name: string }[] = [];
  const rowOf = seats.map(({ section, row }) => {
    const isNewSection = section !== names.at(-1);
    if (isNewSection) names.push(section);
    if (isNewSection || row !== rows.at(-1)?.name) rows.push({ section: names.length - 1, name: row });
    return rows.length - 1;
  });
  return { names, rows, rowOf };
}

function storedPlaces(seats: readonly Placed[]): Places | undefined {
  const places: Places = { x: [], y: [] };
  for (const { x, y } of seats) {
    if (x === null || y === null) return undefined;
    places.x.push(x / HUNDREDTHS);
    places.y.push(y / HUNDREDTHS);
  }
  return places;
}

function blocksOf(
  seats: readonly Placed[],
  sectionCount: number,
  rows: SeatGeometry['rows'],
  rowOf: readonly number[],
): Block[] {
  const counts = rows.map(() => 0);
  const blocks = Array.from({ length: sectionCount }, () => ({ grade: '', rows: [] as number[] }));
  seats.forEach(({ grade }, index) => {
    const row = rowOf[index] ?? 0;
    counts[row] = (counts[row] ?? 0) + 1;
    const block = blocks[rows[row]?.section ?? 0];
    if (block) block.grade ||= grade;
  });
  rows.forEach(({ section }, row) => blocks[section]?.rows.push(counts[row] ?? 0));
  return blocks;
}

function boxesOf(
  names: readonly string[],
  rows: SeatGeometry['rows'],
  rowOf: readonly number[],
  x: readonly number[],
  y: readonly number[],
): SeatGeometry['sections'] {
  const corners = names.map(() => ({ left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }));
  rowOf.forEach((row, index) => {
    const box = corners[rows[row]?.section ?? 0];
    if (!box) return;
    box.left = Math.min(box.left, x[index] ?? 0);
    box.right = Math.max(box.right, x[index] ?? 0);
    box.top = Math.min(box.top, y[index] ?? 0);
    box.bottom = Math.max(box.bottom, y[index] ?? 0);
  });
  return corners.map(({ left, top, right, bottom }, section) => ({
    name: names[section] ?? '',
    x: rounded(left - SECTION_MARGIN),
    y: rounded(top - SECTION_MARGIN),
    width: rounded(right - left + 2 * SECTION_MARGIN),
    height: rounded(bottom - top + 2 * SECTION_MARGIN),
  }));
}
