import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { Encoding } from '../../platform/web/index.js';
import type { SeatStatus } from '../queries.js';

const compress = promisify(gzip);

const CODES = { AVAILABLE: 0, HELD: 1, SOLD: 2 } as const satisfies Record<SeatStatus, number>;
const SEATS_PER_BYTE = 4;
const BITS_PER_SEAT = 2;
const SEAT_MASK = 3;
/** Compressing a smaller body saves nothing. */
const COMPRESS_MIN_BYTES = 2048;

export interface EncodedBody {
  readonly body: Buffer;
  readonly encoding: Encoding;
}

/** The state of all seats of a date, two bits each in chart order, and the response body that contains it. */
export class SeatBitmap {
  readonly #scheduleId: string;
  readonly #bits: Buffer;
  /** Starts at the load time, so that two processes are unlikely to use one version for different states. */
  #version: number;
  #body: Buffer | undefined;
  #gzipped: Promise<Buffer> | undefined;
  #isCompressing = false;

  constructor(scheduleId: string, seatCount: number, version: number) {
    this.#scheduleId = scheduleId;
    this.#bits = Buffer.alloc(Math.ceil(seatCount / SEATS_PER_BYTE));
    this.#version = version;
  }

  set(seat: number, status: SeatStatus): void {
    const byte = Math.floor(seat / SEATS_PER_BYTE);
    const shift = (seat % SEATS_PER_BYTE) * BITS_PER_SEAT;
    this.#bits[byte] = ((this.#bits[byte] ?? 0) & ~(SEAT_MASK << shift)) | (CODES[status] << shift);
    this.#version += 1;
    this.#body = undefined;
    this.#gzipped = undefined;
  }

  /** Built at most once between two changes. */
  body(): Buffer {
    // No character needs escaping, and JSON.stringify would spend most of the time looking for one.
    return (this.#body ??= Buffer.from(
      `{"scheduleId":"${this.#scheduleId}","version":${this.#version},"seats":"${this.#bits.toString('base64')}"}`,
      'latin1',
    ));
  }

  async encoded(encoding: Encoding): Promise<EncodedBody> {
    const body = this.body();
    if (encoding !== 'gzip' || body.length < COMPRESS_MIN_BYTES) return { body, encoding: 'identity' };
    // In a rush the state changes faster than gzip runs: compress one version at a time, send the others uncompressed.
    if (!this.#gzipped && this.#isCompressing) return { body, encoding: 'identity' };
    this.#gzipped ??= this.#gzip(body);
    return { body: await this.#gzipped, encoding };
  }

  async #gzip(body: Buffer): Promise<Buffer> {
    this.#isCompressing = true;
    try {
      return await compress(body, { level: constants.Z_BEST_SPEED });
    } finally {
      this.#isCompressing = false;
    }
  }
}
