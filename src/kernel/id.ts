import { randomBytes, randomUUID } from 'node:crypto';

/** Opaque and unguessable: 122 random bits. */
export const newId = (): string => randomUUID();

const RECEIPT_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A receipt number a person can read out: the day of payment and 50 random bits, e.g. `20261115-7K3QF0ZB4M`. */
export function newReceiptNumber(nowMs: number): string {
  const day = new Date(nowMs).toISOString().slice(0, 10).replaceAll('-', '');
  let suffix = '';
  for (const byte of randomBytes(10)) suffix += RECEIPT_ALPHABET.charAt(byte % RECEIPT_ALPHABET.length);
  return `${day}-${suffix}`;
}
