import type { Chart } from './chart.js';

/** How much is drawn depends on how many CSS pixels a seat takes. */
export const SEATS_FROM_PX = 7;
export const ROW_NAMES_FROM_PX = 13;
export const NUMBERS_FROM_PX = 21;
/** Smaller than this a fingertip covers several seats: a tap comes closer instead of choosing one. */
const PICK_FROM_PX = 24;
/** Where a tap or the keyboard brings a seat to. */
export const PICK_AT_PX = 32;
const LARGEST_PX = 56;

export const pxOf = (chart: Chart, scale: number): number => scale * chart.spacing;
export const scaleFor = (chart: Chart, px: number): number => px / chart.spacing;
export const largestScale = (chart: Chart): number => scaleFor(chart, LARGEST_PX);
export const showsSeats = (chart: Chart, scale: number): boolean => pxOf(chart, scale) >= SEATS_FROM_PX;
export const isPickable = (chart: Chart, scale: number): boolean => pxOf(chart, scale) >= PICK_FROM_PX - 0.01;
