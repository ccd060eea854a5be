import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { assert } from '../kernel/assert.js';
import { createSemaphore } from './semaphore.js';

/** Node has four threads for such work; two are left to everything else. Each hashing takes 16 MiB and some 50 ms. */
const HASHINGS_AT_ONCE_MAX = 2;
/** Some twenty seconds' worth: whoever would wait longer has given up by then. */
const HASHINGS_WAITING_MAX = 1000;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

interface Cost {
  readonly log2N: number;
  readonly r: number;
  readonly p: number;
}

const COST: Cost = { log2N: 14, r: 8, p: 1 };

interface StoredHash {
  readonly cost: Cost;
  readonly salt: Buffer;
  readonly key: Buffer;
}

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a hash (nobody has that address) it does the same work and says no. */
  verify(password: string, passwordHash: string | undefined): Promise<boolean>;
}

export function createPasswords(): Passwords {
  const inLine = createSemaphore({ concurrentMax: HASHINGS_AT_ONCE_MAX, waitingMax: HASHINGS_WAITING_MAX });
  const nobodys: StoredHash = { cost: COST, salt: Buffer.alloc(SALT_BYTES), key: Buffer.alloc(KEY_BYTES) };

  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const key = await inLine(() => derive(password, salt, COST));
      return format({ cost: COST, salt, key });
    },

    async verify(password, passwordHash) {
      const { cost, salt, key } = passwordHash === undefined ? nobodys : parse(passwordHash);
      const derived = await inLine(() => derive(password, salt, cost));
      return timingSafeEqual(derived, key) && passwordHash !== undefined;
    },
  };
}

function derive(password: string, salt: Buffer, { log2N, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** log2N;
  // Twice what the algorithm takes, so that a raised cost is not refused by Node's own bound.
  const options = { N, r, p, maxmem: 2 * 128 * N * r };
  // One password may be typed as composed or decomposed characters (Hangul, accents), depending on the keyboard.
  const text = password.normalize('NFC');
  return new Promise((resolve, reject) => {
    scrypt(text, salt, KEY_BYTES, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

/** `scrypt$14$8$1$salt$key`: the cost stands in every hash, so it can be raised and old hashes still be read. */
const format = ({ cost, salt, key }: StoredHash): string =>
  ['scrypt', cost.log2N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');

const STORED = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/;

function parse(passwordHash: string): StoredHash {
  const [, log2N = '', r = '', p = '', salt = '', key = ''] = STORED.exec(passwordHash) ?? [];
  const stored: StoredHash = {
    cost: { log2N: Number(log2N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    key: Buffer.from(key, 'base64url'),
  };
  assert(stored.key.length === KEY_BYTES, 'a stored password hash cannot be read');
  return stored;
}
