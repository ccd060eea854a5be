import { randomFillSync } from 'node:crypto';

/** Random bytes are generated in bulk: generating 10 at a time costs more than the rest of an id. */
const RANDOM_BYTES = 10;
const POOL = Buffer.alloc(RANDOM_BYTES * 512);
let poolOffset = POOL.length;

/** Returns the offset of unused random bytes in the pool. */
function takeRandomBytes(): number {
  if (poolOffset === POOL.length) {
    randomFillSync(POOL);
    poolOffset = 0;
  }
  const offset = poolOffset;
  poolOffset += RANDOM_BYTES;
  return offset;
}

/**
 * A UUID of version 7: 48 bits of time and 74 random bits. Unguessable, but in order of creation: rows created at the
 * same time are neighbours on disk, so a commit of 64 holds writes a few index pages instead of 64.
 */
export function newId(nowMs = Date.now()): string {
  const offset = takeRandomBytes();
  const time = Math.floor(nowMs).toString(16).padStart(12, '0');
  const random = POOL.toString('hex', offset, offset + RANDOM_BYTES);
  const variant = (8 | (Number.parseInt(random.charAt(4), 16) & 3)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(1, 4)}-${variant}${random.slice(5, 8)}-${random.slice(8)}`;
}

const RECEIPT_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A receipt number that a person can read aloud: the day of payment and 50 random bits, e.g. `20261115-7K3QF0ZB4M`. */
export function newReceiptNumber(nowMs: number): string {
  const day = new Date(nowMs).toISOString().slice(0, 10).replaceAll('-', '');
  const offset = takeRandomBytes();
  let suffix = '';
  for (const byte of POOL.subarray(offset, offset + RANDOM_BYTES))
    suffix += RECEIPT_ALPHABET.charAt(byte % RECEIPT_ALPHABET.length);
  return `${day}-${suffix}`;
}
