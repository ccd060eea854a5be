/**
 * Grades differ in colour and shape, so that they can be told apart without colour. Seven shapes and eight colours give 56
 * combinations. The shapes are SVG paths around 0,0 with a radius of about 1, shared by the legend and the canvas.
 */
const SHAPES = [
  'M1 0A1 1 0 1 1-1 0A1 1 0 1 1 1 0Z',
  'M-.66-.9H.66Q.9-.9 .9-.66V.66Q.9 .9 .66 .9H-.66Q-.9 .9-.9 .66V-.66Q-.9-.9-.66-.9Z',
  'M0-1.16L1.16 0L0 1.16L-1.16 0Z',
  'M0-1.08L1.12 .9H-1.12Z',
  'M-.48-1.02H.48V-.48H1.02V.48H.48V1.02H-.48V.48H-1.02V-.48H-.48Z',
  'M-.56-.98H.56L1.12 0L.56 .98H-.56L-1.12 0Z',
  'M-.92-.94H.92V.2L0 1.1L-.92 .2Z',
] as const;

export const COLOUR_COUNT = 8;

export const shapeOf = (grade: number): string => SHAPES[grade % SHAPES.length] ?? SHAPES[0];
export const colourOf = (grade: number): number => grade % COLOUR_COUNT;

/** Marks that show a seat's state without colour. */
export const SOLD_MARK = 'M-.36-.36L.36 .36M.36-.36L-.36 .36';
export const CHOSEN_MARK = 'M-.5 .02L-.14 .4L.52-.38';
export const HELD_MARK = 'M-.3 0H.3';
