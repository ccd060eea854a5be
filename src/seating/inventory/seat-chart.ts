import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Static } from 'typebox';
import type { Encoding } from '../../platform/web/index.js';
import type { SeatGeometry } from '../map/seat-geometry.js';
import type { SeatRow } from '../queries.js';
import type { ChartSchema } from '../schemas.js';

type Chart = Static<typeof ChartSchema>;

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);
/** Most of a chart is random ids, which hardly compress: a higher quality only takes longer. */
const BROTLI_QUALITY = 6;

export interface GradePrice {
  readonly grade: string;
  readonly price: number;
}

/** Every grade with each of its prices, highest price first. */
export function gradesOf(seats: readonly GradePrice[]): GradePrice[] {
  const grades = new Map(seats.map(({ grade, price }) => [gradeKey({ grade, price }), { grade, price }]));
  return [...grades.values()].sort((a, b) => b.price - a.price || (a.grade < b.grade ? -1 : 1));
}

export const gradeKey = ({ grade, price }: GradePrice): string => `${price} ${grade}`;

export function drawChart(
  scheduleId: string,
  currency: string,
  seats: readonly SeatRow[],
  { size, stage, sections, rows, rowOf, x, y }: SeatGeometry,
): Chart {
  const grades = gradesOf(seats);
  const gradeIndex = new Map(grades.map((grade, index) => [gradeKey(grade), index]));
  return {
    scheduleId,
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

/** The response bodies of a chart. It never changes, so each encoding is computed once, on the first request for it. */
export class ChartBodies {
  readonly etag: string;
  readonly #bodies = new Map<Encoding, Promise<Buffer>>();
  readonly #plain: Buffer;

  constructor(chart: Chart) {
    this.#plain = Buffer.from(JSON.stringify(chart));
    // Weak: the same for all encodings of a chart and from every process.
    this.etag = `W/"${createHash('sha256').update(this.#plain).digest('base64url')}"`;
  }

  /** Requests that arrive during the compression share its result. */
  body(encoding: Encoding): Promise<Buffer> {
    const cached = this.#bodies.get(encoding);
    if (cached) return cached;
    const body = this.#compress(encoding);
    this.#bodies.set(encoding, body);
    body.catch(() => this.#bodies.delete(encoding));
    return body;
  }

  #compress(encoding: Encoding): Promise<Buffer> {
    if (encoding === 'identity') return Promise.resolve(this.#plain);
    if (encoding === 'gzip') return compressGzip(this.#plain);
    return compressBrotli(this.#plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: this.#plain.length,
      },
    });
  }
}
