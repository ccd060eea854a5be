import { postOperatorConcertsLimits } from '../../../api/generated/limits.js';
import type { ChartDraft } from '../concert-draft.js';
import { eachSeat } from '../plan/plan.js';

/** The seats to draw, as columns. Neighbours are about 1 apart. */
export interface PreviewSeats {
  readonly x: number[];
  readonly y: number[];
  /** Index into `grades`. */
  readonly grade: number[];
  readonly grades: string[];
  /** Section names with the centre of each section. */
  readonly names: { readonly name: string; readonly x: number; readonly y: number; readonly width: number }[];
}

export interface Block {
  readonly grade: string;
  readonly rows: number;
  readonly seatsPerRow: number;
}

const ROW_PITCH = 1.2;
const AISLE = 3;
const HALL_ASPECT_RATIO = 1.8;
const MIXED_GRADES_COST = 0.5;
const SPLIT_GRADE_COST = 0.3;

const widthOf = ({ seatsPerRow }: Block): number => seatsPerRow - 1 + AISLE;
const depthOf = ({ rows }: Block): number => (rows - 1) * ROW_PITCH + AISLE;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/**
 * The position of each block's first seat. Must match the server's layout, so that the preview shows what fans will see;
 * layout-preview.test.ts compares the two.
 */
export function layOutBlocks(blocks: readonly Block[]): { left: number; front: number }[] {
  const corners: { left: number; front: number }[] = [];
  let front = 0;
  for (const tier of splitIntoTiers(blocks)) {
    let left = (AISLE - sum(tier.map(widthOf))) / 2;
    for (const block of tier) {
      corners.push({ left, front });
      left += widthOf(block);
    }
    front += Math.max(...tier.map(depthOf));
  }
  return corners;
}

interface TierBreak {
  readonly cost: number;
  /** The first block of the last tier. */
  readonly from: number;
}

/** The cheapest last tier of the blocks before `end`, given the cheapest tiers of every shorter prefix (`best`). */
function cheapestBreak(
  blocks: readonly Block[],
  end: number,
  best: readonly TierBreak[],
  ideal: number,
): TierBreak {
  const gradeOf = (index: number): string | undefined => blocks[index]?.grade;
  let cheapest: TierBreak = { cost: Infinity, from: 0 };
  let width = 0;
  let isMixed = false;
  for (let from = end - 1; from >= 0; from -= 1) {
    const block = blocks[from];
    if (block) width += widthOf(block);
    isMixed ||= from < end - 1 && gradeOf(from) !== gradeOf(from + 1);
    const isSplit = from > 0 && gradeOf(from - 1) === gradeOf(from);
    const tierCost =
      ((width - ideal) / ideal) ** 2 + (isMixed ? MIXED_GRADES_COST : 0) + (isSplit ? SPLIT_GRADE_COST : 0);
    const cost = (best[from]?.cost ?? 0) + tierCost;
    if (cost < cheapest.cost) cheapest = { cost, from };
  }
  return cheapest;
}

/** Splits blocks into tiers, front to back, of similar width and preferably of one grade each. */
function splitIntoTiers(blocks: readonly Block[]): (readonly Block[])[] {
  const widths = blocks.map(widthOf);
  const area = sum(blocks.map((block, index) => (widths[index] ?? 0) * depthOf(block)));
  const ideal = Math.max(Math.sqrt(area * HALL_ASPECT_RATIO), ...widths);
  const best: TierBreak[] = [{ cost: 0, from: 0 }];
  for (let end = 1; end <= blocks.length; end += 1) best.push(cheapestBreak(blocks, end, best, ideal));
  const tiers: (readonly Block[])[] = [];
  for (let end = blocks.length; end > 0; end = best[end]?.from ?? 0)
    tiers.unshift(blocks.slice(best[end]?.from ?? 0, end));
  return tiers;
}

const { rows: ROW_LIMITS } = postOperatorConcertsLimits.body.schedules.items.sections.items;
/** What was typed as a number of rows or seats; 0 until it is valid. */
const countOf = (text: string): number => {
  const value = Number(text);
  return Number.isInteger(value) && value >= ROW_LIMITS.minimum && value <= ROW_LIMITS.maximum ? value : 0;
};

function layOutSections({ sections }: ChartDraft): PreviewSeats {
  const seats: PreviewSeats = { x: [], y: [], grade: [], grades: [], names: [] };
  const blocks = sections
    .map((section) => ({
      name: section.name.trim(),
      grade: section.grade.trim(),
      rows: countOf(section.rows),
      seatsPerRow: countOf(section.seatsPerRow),
    }))
    .filter(({ rows, seatsPerRow }) => rows > 0 && seatsPerRow > 0);
  const corners = layOutBlocks(blocks);
  blocks.forEach((block, index) => {
    const { left, front } = corners[index] ?? { left: 0, front: 0 };
    if (!seats.grades.includes(block.grade)) seats.grades.push(block.grade);
    const grade = seats.grades.indexOf(block.grade);
    for (let row = 0; row < block.rows; row += 1)
      for (let seat = 0; seat < block.seatsPerRow; seat += 1) {
        seats.x.push(left + seat);
        seats.y.push(front + row * ROW_PITCH);
        seats.grade.push(grade);
      }
    const middle = { x: left + (block.seatsPerRow - 1) / 2, y: front + ((block.rows - 1) * ROW_PITCH) / 2 };
    seats.names.push({ name: block.name, ...middle, width: block.seatsPerRow });
  });
  return seats;
}

/** The plan's own positions, scaled so that the median distance between neighbours is 1. */
function layOutPlan({ file }: ChartDraft): PreviewSeats {
  const seats: PreviewSeats = { x: [], y: [], grade: [], grades: [], names: [] };
  if (file?.state !== 'valid') return seats;
  const { plan } = file;
  seats.grades.push(...plan.categories.map(({ name }) => name));
  const grades = new Map(seats.grades.map((name, index) => [name, index]));
  const apart: number[] = [];
  let last: { row: unknown; x: number; y: number } | undefined;
  const boxes = new Map<string, { left: number; right: number; top: number; bottom: number }>();
  for (const { zone, row, seat, at } of eachSeat(plan)) {
    if (last?.row === row) apart.push(Math.hypot(at.x - last.x, at.y - last.y));
    last = { row, ...at };
    seats.x.push(at.x);
    seats.y.push(at.y);
    seats.grade.push(grades.get(seat.category) ?? 0);
    const box = boxes.get(zone.name) ?? { left: at.x, right: at.x, top: at.y, bottom: at.y };
    boxes.set(zone.name, {
      left: Math.min(box.left, at.x),
      right: Math.max(box.right, at.x),
      top: Math.min(box.top, at.y),
      bottom: Math.max(box.bottom, at.y),
    });
  }
  apart.sort((a, b) => a - b);
  const unit = apart.filter((distance) => distance > 0).at(apart.length >> 1) ?? 1;
  for (const [name, { left, right, top, bottom }] of boxes)
    seats.names.push({
      name,
      x: (left + right) / 2 / unit,
      y: (top + bottom) / 2 / unit,
      width: (right - left) / unit + 1,
    });
  seats.x.forEach((x, index) => (seats.x[index] = x / unit));
  seats.y.forEach((y, index) => (seats.y[index] = y / unit));
  return seats;
}

export const layOutPreview = (chart: ChartDraft): PreviewSeats =>
  chart.by === 'plan' ? layOutPlan(chart) : layOutSections(chart);
