import { randomFillSync } from 'node:crypto';

/** Random bytes drawn in bulk: asking the generator for 10 at a time costs more than the ids themselves. */
const DRAWN_BYTES = 10;
const POOL = Buffer.alloc(DRAWN_BYTES * 512);
let poolAt = POOL.length;

function drawRandom(): number {
  if (poolAt === POOL.length) {
    randomFillSync(POOL);
    poolAt = 0;
  }
  const at = poolAt;
  poolAt += DRAWN_BYTES;
  return at;
}

/**
 * A UUID of version 7: 48 bits of time, then 74 random ones. Opaque and unguessable, and yet in order of creation, so
 * that rows made together lie together on disk: a commit of 64 holds writes a few index pages, not one for each.
 */
export function newId(nowMs = Date.now()): string {
  const at = drawRandom();
  const time = Math.floor(nowMs).toString(16).padStart(12, '0');
  const random = POOL.toString('hex', at, at + DRAWN_BYTES);
  const variant = (8 | (Number.parseInt(random.charAt(4), 16) & 3)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(1, 4)}-${variant}${random.slice(5, 8)}-${random.slice(8)}`;
}

const RECEIPT_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A receipt number a person can read out: the day of payment and 50 random bits, e.g. `20261115-7K3QF0ZB4M`. */
export function newReceiptNumber(nowMs: number): string {
  const day = new Date(nowMs).toISOString().slice(0, 10).replaceAll('-', '');
  const at = drawRandom();
  let suffix = '';
  for (const byte of POOL.subarray(at, at + DRAWN_BYTES))
    suffix += RECEIPT_ALPHABET.charAt(byte % RECEIPT_ALPHABET.length);
  return `${day}-${suffix}`;
}
