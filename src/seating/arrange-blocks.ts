import { maxOf } from './min-max.js';

/** Places blocks of seats in front of a stage. Neighbouring seats are 1 apart; nothing overlaps. */

export interface Block {
  /** Blocks of one grade stay together where they can. */
  readonly grade: string;
  /** How many seats each row has, from the stage backwards. */
  readonly rows: readonly number[];
}

export interface Places {
  readonly x: number[];
  readonly y: number[];
}

/** From one row to the next: a little more than to the neighbour, as legs need. */
const ROW_PITCH = 1.2;
/** Between the nearest seats of two blocks: an aisle that is seen as one. */
const AISLE = 3;
/** A hall is wider than it is deep. */
const WIDTH_TO_DEPTH = 1.8;
/** What a line of blocks costs that mixes grades, or breaks off within one; in squares of its deviation in width. */
const MIXED = 0.5;
const BROKEN = 0.3;

const seatsAcross = ({ rows }: Block): number => maxOf(rows);
const widthOf = (block: Block): number => seatsAcross(block) - 1 + AISLE;
const depthOf = ({ rows }: Block): number => (rows.length - 1) * ROW_PITCH + AISLE;

/** The places of all seats, block by block, row by row. The middle of the hall is x = 0, the first row y = 0. */
export function arrangeBlocks(blocks: readonly Block[]): Places {
  const places: Places = { x: [], y: [] };
  let front = 0;
  for (const tier of tiersOf(blocks)) {
    let left = (AISLE - sum(tier.map(widthOf))) / 2;
    for (const block of tier) {
      seatBlock(block, left, front, places);
      left += widthOf(block);
    }
    front += maxOf(tier.map(depthOf));
  }
  return places;
}

/** Rows stand in the middle of their block. */
function seatBlock(block: Block, left: number, front: number, { x, y }: Places): void {
  const across = seatsAcross(block);
  block.rows.forEach((seats, row) => {
    const first = left + (across - seats) / 2;
    for (let seat = 0; seat < seats; seat += 1) {
      x.push(first + seat);
      y.push(front + row * ROW_PITCH);
    }
  });
}

interface Cut {
  readonly cost: number;
  /** The first block of the last tier. */
  readonly from: number;
}

/**
 * Tiers from the stage backwards, in the order in which the blocks were named: about equally wide, and each of one grade
 * where that does not make the hall odd. Of all ways to cut the list the cheapest is taken.
 */
function tiersOf(blocks: readonly Block[]): (readonly Block[])[] {
  const widths = blocks.map(widthOf);
  const area = sum(blocks.map((block, index) => (widths[index] ?? 0) * depthOf(block)));
  const ideal = Math.max(Math.sqrt(area * WIDTH_TO_DEPTH), maxOf(widths));
  const gradeOf = (index: number): string | undefined => blocks[index]?.grade;
  const best: Cut[] = [{ cost: 0, from: 0 }];
  for (let end = 1; end <= blocks.length; end += 1) {
    let cheapest: Cut = { cost: Infinity, from: 0 };
    let width = 0;
    let isMixed = false;
    for (let from = end - 1; from >= 0; from -= 1) {
      width += widths[from] ?? 0;
      isMixed ||= from < end - 1 && gradeOf(from) !== gradeOf(from + 1);
      const isBroken = from > 0 && gradeOf(from - 1) === gradeOf(from);
      const deviation = (width - ideal) / ideal;
      const cost = (best[from]?.cost ?? 0) + deviation ** 2 + (isMixed ? MIXED : 0) + (isBroken ? BROKEN : 0);
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
