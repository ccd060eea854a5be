import type { Chart } from '../chart/chart.js';

/** What is drawn depends on the size of a seat in CSS pixels. */
export const SEATS_FROM_PX = 7;
export const ROW_NAMES_FROM_PX = 13;
export const NUMBERS_FROM_PX = 21;
/** Below this size a fingertip covers several seats: a tap zooms in instead of choosing a seat. */
const PICKABLE_FROM_PX = 24;
/** The size that a tap or the keyboard zooms to. */
export const COMFORTABLE_PX = 32;
const SEAT_MAX_PX = 56;

export const seatPx = (chart: Chart, scale: number): number => scale * chart.spacing;
export const scaleFor = (chart: Chart, px: number): number => px / chart.spacing;
export const maxScale = (chart: Chart): number => scaleFor(chart, SEAT_MAX_PX);
export const showsSeats = (chart: Chart, scale: number): boolean => seatPx(chart, scale) >= SEATS_FROM_PX;
export const isPickable = (chart: Chart, scale: number): boolean =>
  seatPx(chart, scale) >= PICKABLE_FROM_PX - 0.01;
