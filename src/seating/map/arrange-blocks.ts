import { maxOf } from './min-max.js';

/** Arranges blocks of seats in front of a stage. Neighbouring seats are 1 apart; nothing overlaps. */

export interface Block {
  /** Blocks of one grade are kept adjacent if possible. */
  readonly grade: string;
  /** The number of seats in each row, from the stage backwards. */
  readonly rows: readonly number[];
}

/** Two lists in chart order. */
export interface SeatPositions {
  readonly x: number[];
  readonly y: number[];
}

/** The distance between rows: a little more than between neighbours, for legroom. */
const ROW_PITCH = 1.2;
/** The distance between the nearest seats of two blocks: wide enough to be seen as an aisle. */
const AISLE = 3;
/** A venue is wider than it is deep. */
const WIDTH_TO_DEPTH = 1.8;
/** The cost of a tier that mixes grades, or ends within one. The unit is the square of the relative deviation in width. */
const MIXED_GRADES_COST = 0.5;
const SPLIT_GRADE_COST = 0.3;

const seatsAcross = ({ rows }: Block): number => maxOf(rows);
const widthOf = (block: Block): number => seatsAcross(block) - 1 + AISLE;
const depthOf = ({ rows }: Block): number => (rows.length - 1) * ROW_PITCH + AISLE;

/** The positions of all seats, block by block, row by row. The centre line is x = 0, the first row y = 0. */
export function arrangeBlocks(blocks: readonly Block[]): SeatPositions {
  const positions: SeatPositions = { x: [], y: [] };
  let front = 0;
  for (const tier of tiersOf(blocks)) {
    let left = (AISLE - sum(tier.map(widthOf))) / 2;
    for (const block of tier) {
      arrangeSeats(block, left, front, positions);
      left += widthOf(block);
    }
    front += maxOf(tier.map(depthOf));
  }
  return positions;
}

/** Centres each row in its block. */
function arrangeSeats(block: Block, left: number, front: number, { x, y }: SeatPositions): void {
  const across = seatsAcross(block);
  block.rows.forEach((seats, row) => {
    const first = left + (across - seats) / 2;
    for (let seat = 0; seat < seats; seat += 1) {
      x.push(first + seat);
      y.push(front + row * ROW_PITCH);
    }
  });
}

/** The cheapest way to split the blocks up to some block into tiers. */
interface Split {
  readonly cost: number;
  /** The index of the first block of the last tier. */
  readonly from: number;
}

/**
 * Splits the list of blocks into tiers from the stage backwards, at the lowest cost: tiers of about equal width, each of
 * one grade unless that makes the widths too unequal.
 */
function tiersOf(blocks: readonly Block[]): (readonly Block[])[] {
  const widths = blocks.map(widthOf);
  const area = sum(blocks.map((block, index) => (widths[index] ?? 0) * depthOf(block)));
  const idealWidth = Math.max(Math.sqrt(area * WIDTH_TO_DEPTH), maxOf(widths));
  const gradeOf = (index: number): string | undefined => blocks[index]?.grade;
  const best: Split[] = [{ cost: 0, from: 0 }];
  for (let end = 1; end <= blocks.length; end += 1) {
    let cheapest: Split = { cost: Infinity, from: 0 };
    let width = 0;
    let isMixed = false;
    for (let from = end - 1; from >= 0; from -= 1) {
      width += widths[from] ?? 0;
      isMixed ||= from < end - 1 && gradeOf(from) !== gradeOf(from + 1);
      const isSplit = from > 0 && gradeOf(from - 1) === gradeOf(from);
      const deviation = (width - idealWidth) / idealWidth;
      const gradeCost = isMixed ? MIXED_GRADES_COST : 0;
      const cost = (best[from]?.cost ?? 0) + deviation ** 2 + gradeCost + (isSplit ? SPLIT_GRADE_COST : 0);
      if (cost < cheapest.cost) cheapest = { cost, from };
    }
    best.push(cheapest);
  }
  const tiers: (readonly Block[])[] = [];
  for (let end = blocks.length; end > 0; end = best[end]?.from ?? 0) {
    tiers.unshift(blocks.slice(best[end]?.from ?? 0, end));
  }
  return tiers;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
