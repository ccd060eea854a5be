import { postOperatorConcertsLimits } from '../../api/generated/limits.js';
import type { ChartDraft } from './concert-draft.js';
import { seatsOf } from './plan.js';

/** A seat to draw; neighbours are about 1 apart. */
export interface PreviewSeats {
  readonly x: number[];
  readonly y: number[];
  /** Index into `grades`. */
  readonly grade: number[];
  readonly grades: string[];
  /** Where a section's name stands: in its middle. */
  readonly names: { readonly name: string; readonly x: number; readonly y: number; readonly width: number }[];
}

export interface Block {
  readonly grade: string;
  readonly rows: number;
  readonly seatsPerRow: number;
}

const ROW_PITCH = 1.2;
const AISLE = 3;
const WIDTH_TO_DEPTH = 1.8;
const MIXED = 0.5;
const BROKEN = 0.3;

const widthOf = ({ seatsPerRow }: Block): number => seatsPerRow - 1 + AISLE;
const depthOf = ({ rows }: Block): number => (rows - 1) * ROW_PITCH + AISLE;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/**
 * Where each block's first seat stands. The server lays halls out by the same rules, and a test holds the two together:
 * what is promised here is what fans see.
 */
export function placeBlocks(blocks: readonly Block[]): { left: number; front: number }[] {
  const corners: { left: number; front: number }[] = [];
  let front = 0;
  for (const tier of tiersOf(blocks)) {
    let left = (AISLE - sum(tier.map(widthOf))) / 2;
    for (const block of tier) {
      corners.push({ left, front });
      left += widthOf(block);
    }
    front += Math.max(...tier.map(depthOf));
  }
  return corners;
}

interface Cut {
  readonly cost: number;
  /** The first block of the last tier. */
  readonly from: number;
}

/** The cheapest way to end a tier before `end`, given the cheapest ways to end the tiers before it. */
function bestCut(blocks: readonly Block[], end: number, best: readonly Cut[], ideal: number): Cut {
  const gradeOf = (index: number): string | undefined => blocks[index]?.grade;
  let cheapest: Cut = { cost: Infinity, from: 0 };
  let width = 0;
  let isMixed = false;
  for (let from = end - 1; from >= 0; from -= 1) {
    const block = blocks[from];
    if (block) width += widthOf(block);
    isMixed ||= from < end - 1 && gradeOf(from) !== gradeOf(from + 1);
    const isBroken = from > 0 && gradeOf(from - 1) === gradeOf(from);
    const odd = ((width - ideal) / ideal) ** 2 + (isMixed ? MIXED : 0) + (isBroken ? BROKEN : 0);
    const cost = (best[from]?.cost ?? 0) + odd;
    if (cost < cheapest.cost) cheapest = { cost, from };
  }
  return cheapest;
}

/** Tiers from the stage backwards: about equally wide, of one grade where that does not make the hall odd. */
function tiersOf(blocks: readonly Block[]): (readonly Block[])[] {
  const widths = blocks.map(widthOf);
  const area = sum(blocks.map((block, index) => (widths[index] ?? 0) * depthOf(block)));
  const ideal = Math.max(Math.sqrt(area * WIDTH_TO_DEPTH), ...widths);
  const best: Cut[] = [{ cost: 0, from: 0 }];
  for (let end = 1; end <= blocks.length; end += 1) best.push(bestCut(blocks, end, best, ideal));
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

function previewOfSections({ sections }: ChartDraft): PreviewSeats {
  const seats: PreviewSeats = { x: [], y: [], grade: [], grades: [], names: [] };
  const blocks = sections
    .map((section) => ({
      name: section.name.trim(),
      grade: section.grade.trim(),
      rows: countOf(section.rows),
      seatsPerRow: countOf(section.seatsPerRow),
    }))
    .filter(({ rows, seatsPerRow }) => rows > 0 && seatsPerRow > 0);
  const corners = placeBlocks(blocks);
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

/** A plan's own places, in its own unit: how far apart neighbours are is found out from the first rows. */
function previewOfPlan({ file }: ChartDraft): PreviewSeats {
  const seats: PreviewSeats = { x: [], y: [], grade: [], grades: [], names: [] };
  if (file?.state !== 'fine') return seats;
  const { plan } = file;
  seats.grades.push(...plan.categories.map(({ name }) => name));
  const grades = new Map(seats.grades.map((name, index) => [name, index]));
  const apart: number[] = [];
  let last: { row: unknown; x: number; y: number } | undefined;
  const boxes = new Map<string, { left: number; right: number; top: number; bottom: number }>();
  for (const { zone, row, seat, at } of seatsOf(plan)) {
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

export const previewOf = (chart: ChartDraft): PreviewSeats =>
  chart.by === 'plan' ? previewOfPlan(chart) : previewOfSections(chart);
