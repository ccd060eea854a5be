import type { SeatRow } from '../queries.js';
import { arrangeBlocks, type Block, type SeatPositions } from './arrange-blocks.js';
import { maxOf, minOf, rangeOf } from './min-max.js';

/** Positions are stored as integers: hundredths of the distance between neighbouring seats. */
export const HUNDREDTHS = 100;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The positions of the stage, sections and seats of one date; the unit is the distance between neighbouring seats. */
export interface SeatGeometry {
  readonly size: { readonly width: number; readonly height: number };
  readonly stage: Box;
  readonly sections: readonly (Box & { readonly name: string })[];
  /** `section` is an index into `sections`. */
  readonly rows: readonly { readonly section: number; readonly name: string }[];
  /** Three lists in chart order: the index of each seat's row, and its centre. */
  readonly rowOf: readonly number[];
  readonly x: readonly number[];
  readonly y: readonly number[];
}

type ChartSeat = Pick<SeatRow, 'section' | 'row' | 'grade' | 'x' | 'y'>;

/** Around the whole chart, and around the centres of a section's outermost seats. */
const MARGIN = 2;
const SECTION_MARGIN = 0.8;
const STAGE_GAP = 4;
const STAGE_TO_SEATS_WIDTH = 0.4;
const STAGE_WIDTH_MIN = 6;
const STAGE_DEPTH_MIN = 3;
const STAGE_DEPTH_TO_WIDTH = 0.15;

const round = (value: number): number => Math.round(value * HUNDREDTHS) / HUNDREDTHS;

/** Uses imported positions if every seat has one; otherwise arranges the sections in front of a stage. */
export function computeGeometry(seats: readonly ChartSeat[]): SeatGeometry {
  const { names, rows, rowOf } = groupSeats(seats);
  const positions = importedPositions(seats) ?? arrangeBlocks(blocksOf(seats, names.length, rows, rowOf));
  const seatsWide = rangeOf(positions.x);
  const stageWidth = round(Math.max(STAGE_WIDTH_MIN, seatsWide * STAGE_TO_SEATS_WIDTH));
  const stageHeight = round(Math.max(STAGE_DEPTH_MIN, stageWidth * STAGE_DEPTH_TO_WIDTH));
  const width = round(Math.max(seatsWide, stageWidth) + 2 * MARGIN);
  const stage = { x: round((width - stageWidth) / 2), y: MARGIN, width: stageWidth, height: stageHeight };
  const shiftX = (width - seatsWide) / 2 - minOf(positions.x);
  const shiftY = stage.y + stage.height + STAGE_GAP - minOf(positions.y);
  const x = positions.x.map((value) => round(value + shiftX));
  const y = positions.y.map((value) => round(value + shiftY));
  const height = round(maxOf(y) + MARGIN);
  return { size: { width, height }, stage, sections: boxesOf(names, rows, rowOf, x, y), rows, rowOf, x, y };
}

/** A row or section begins where its name differs from that of the previous seat. */
function groupSeats(seats: readonly ChartSeat[]) {
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

function importedPositions(seats: readonly ChartSeat[]): SeatPositions | undefined {
  const positions: SeatPositions = { x: [], y: [] };
  for (const { x, y } of seats) {
    if (x === null || y === null) return undefined;
    positions.x.push(x / HUNDREDTHS);
    positions.y.push(y / HUNDREDTHS);
  }
  return positions;
}

function blocksOf(
  seats: readonly ChartSeat[],
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
    x: round(left - SECTION_MARGIN),
    y: round(top - SECTION_MARGIN),
    width: round(right - left + 2 * SECTION_MARGIN),
    height: round(bottom - top + 2 * SECTION_MARGIN),
  }));
}
