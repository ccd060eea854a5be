import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { assert } from '../kernel/assert.js';
import { createSemaphore } from './semaphore.js';

/** Half of Node's four worker threads. One hash takes 16 MiB and about 50 ms. */
const CONCURRENT_HASHES_MAX = 2;
/** About twenty seconds of work. Clients that would wait longer have given up by then. */
const WAITING_HASHES_MAX = 1000;
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
  /** Without a hash (unknown address) it does the same work and returns false. */
  verify(password: string, passwordHash: string | undefined): Promise<boolean>;
}

export function createPasswords(): Passwords {
  const runLimited = createSemaphore({
    concurrentMax: CONCURRENT_HASHES_MAX,
    waitingMax: WAITING_HASHES_MAX,
  });
  const dummyHash: StoredHash = { cost: COST, salt: Buffer.alloc(SALT_BYTES), key: Buffer.alloc(KEY_BYTES) };

  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const key = await runLimited(() => derive(password, salt, COST));
      return format({ cost: COST, salt, key });
    },

    async verify(password, passwordHash) {
      const { cost, salt, key } = passwordHash === undefined ? dummyHash : parse(passwordHash);
      const derived = await runLimited(() => derive(password, salt, cost));
      return timingSafeEqual(derived, key) && passwordHash !== undefined;
    },
  };
}

function derive(password: string, salt: Buffer, { log2N, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** log2N;
  // Twice the memory that scrypt needs. Node's default limit would reject a higher cost.
  const options = { N, r, p, maxmem: 2 * 128 * N * r };
  // Keyboards differ in whether they compose characters (Hangul, accents); NFC makes the password the same.
  const text = password.normalize('NFC');
  return new Promise((resolve, reject) => {
    scrypt(text, salt, KEY_BYTES, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

/** `scrypt$14$8$1$salt$key`. Each hash contains its cost, so the cost can be raised without breaking old hashes. */
const format = ({ cost, salt, key }: StoredHash): string =>
  ['scrypt', cost.log2N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');

const STORED_HASH = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/;

function parse(passwordHash: string): StoredHash {
  const [, log2N = '', r = '', p = '', salt = '', key = ''] = STORED_HASH.exec(passwordHash) ?? [];
  const stored: StoredHash = {
    cost: { log2N: Number(log2N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    key: Buffer.from(key, 'base64url'),
  };
  assert(stored.key.length === KEY_BYTES, 'a stored password hash cannot be read');
  return stored;
}
