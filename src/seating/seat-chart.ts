import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Static } from 'typebox';
import type { Encoding } from '../platform/web/index.js';
import type { SeatRow } from '../catalog/queries.js';
import type { ChartSchema } from '../catalog/schemas.js';
import type { SeatGeometry } from './seat-geometry.js';

type Chart = Static<typeof ChartSchema>;

const withGzip = promisify(gzip);
const withBrotli = promisify(brotliCompress);
/** Ids are random and hardly get smaller however long one tries; beyond this it only takes longer. */
const BROTLI_QUALITY = 6;

export interface Priced {
  readonly grade: string;
  readonly price: number;
}

/** Every grade with each of its prices, the dearest first. */
export function gradesOf(seats: readonly Priced[]): Priced[] {
  const grades = new Map(seats.map(({ grade, price }) => [gradeKey({ grade, price }), { grade, price }]));
  return [...grades.values()].sort((a, b) => b.price - a.price || (a.grade < b.grade ? -1 : 1));
}

const gradeKey = ({ grade, price }: Priced): string => `${price} ${grade}`;

export function drawChart(
  { id, currency }: { readonly id: string; readonly currency: string },
  seats: readonly SeatRow[],
  { size, stage, sections, rows, rowOf, x, y }: SeatGeometry,
): Chart {
  const grades = gradesOf(seats);
  const gradeIndex = new Map(grades.map((grade, index) => [gradeKey(grade), index]));
  return {
    scheduleId: id,
    currency,
    size,
    stage,
    grades,
    sections: [...sections],
    rows: [...rows],
    seats: {
      id: seats.map((seat) => seat.id),
      row: [...rowOf],
      number: seats.map(({ number, numberName }) => numberName ?? String(number)),
      label: seats.map(({ label }) => label),
      grade: seats.map((seat) => gradeIndex.get(gradeKey(seat)) ?? 0),
      x: [...x],
      y: [...y],
    },
  };
}

/** A chart as bytes: it never changes, so each form of it is made once, when somebody first asks for it. */
export class ChartBodies {
  readonly etag: string;
  readonly #bodies = new Map<Encoding, Promise<Buffer>>();
  readonly #plain: Buffer;

  constructor(chart: Chart) {
    this.#plain = Buffer.from(JSON.stringify(chart));
    // Weak: one for all encodings of the same chart, and the same from every process.
    this.etag = `W/"${createHash('sha256').update(this.#plain).digest('base64url')}"`;
  }

  /** Whoever asks while it is being compressed waits for the same bytes. */
  body(encoding: Encoding): Promise<Buffer> {
    const known = this.#bodies.get(encoding);
    if (known) return known;
    const body = this.#compress(encoding);
    this.#bodies.set(encoding, body);
    body.catch(() => this.#bodies.delete(encoding));
    return body;
  }

  #compress(encoding: Encoding): Promise<Buffer> {
    if (encoding === 'identity') return Promise.resolve(this.#plain);
    if (encoding === 'gzip') return withGzip(this.#plain);
    return withBrotli(this.#plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: this.#plain.length,
      },
    });
  }
}
