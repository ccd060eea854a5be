import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { assert } from '../kernel/assert.js';
import { siteOf } from '../kernel/client-networks.js';
import { SECOND_MS } from '../kernel/time.js';
import { createHashQueue } from './hash-queue.js';

/** The most memory that hashes may take together. At the default cost, one hash takes 128 MiB. */
const HASH_MEMORY_MAX_BYTES = 256 * 1024 * 1024;
/** Half of Node's four worker threads: the others look up host names and read files. */
const HASH_THREADS_MAX = 2;
/** In each lane. */
const WAITING_HASHES_MAX = 1000;
/** Clients that would wait longer have given up by then. */
const HASH_WAIT_MAX_MS = 20 * SECOND_MS;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

interface Cost {
  readonly log2N: number;
  readonly r: number;
  readonly p: number;
}

const bytesOf = ({ log2N, r }: Cost): number => 128 * 2 ** log2N * r;

/** A core stays free for requests, so that a rush of sign-ins does not slow down those who are signed in. */
const concurrencyOf = (cost: Cost): number =>
  Math.max(
    1,
    Math.min(HASH_THREADS_MAX, availableParallelism() - 1, Math.floor(HASH_MEMORY_MAX_BYTES / bytesOf(cost))),
  );

interface StoredHash {
  readonly cost: Cost;
  readonly salt: Buffer;
  readonly key: Buffer;
}

export interface Verified {
  readonly isCorrect: boolean;
  /** The same password at the current cost, if the stored hash has a lower one. */
  readonly strongerHash?: string;
}

/** `client` is an IP address. Requests of one network wait for each other; those of other networks take turns with them. */
export interface Passwords {
  hash(password: string, client?: string): Promise<string>;
  /** Does the same work for an unknown address (no hash) and for a hash of a lower cost: the time reveals neither. */
  verify(password: string, passwordHash: string | undefined, client?: string): Promise<Verified>;
}

/** `log2N`: the cost of new hashes, as a power of two. */
export function createPasswords(log2N: number): Passwords {
  const cost: Cost = { log2N, r: 8, p: 1 };
  const queue = createHashQueue({
    concurrentMax: concurrencyOf(cost),
    waitingMax: WAITING_HASHES_MAX,
    waitMaxMs: HASH_WAIT_MAX_MS,
  });
  const dummyHash: StoredHash = { cost, salt: Buffer.alloc(SALT_BYTES), key: Buffer.alloc(KEY_BYTES) };

  async function createHash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return format({ cost, salt, key: await derive(password, salt, cost) });
  }

  async function verify(password: string, passwordHash: string | undefined): Promise<Verified> {
    const stored = passwordHash === undefined ? dummyHash : parse(passwordHash);
    const derived = await derive(password, stored.salt, stored.cost);
    const isCorrect = timingSafeEqual(derived, stored.key) && passwordHash !== undefined;
    if (bytesOf(stored.cost) >= bytesOf(cost)) return { isCorrect };
    const strongerHash = await createHash(password);
    return isCorrect ? { isCorrect, strongerHash } : { isCorrect };
  }

  return {
    hash: (password, client = '') => queue('sign-up', siteOf(client), () => createHash(password)),
    verify: (password, passwordHash, client = '') =>
      queue('sign-in', siteOf(client), () => verify(password, passwordHash)),
  };
}

function derive(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  const { log2N, r, p } = cost;
  // Twice the memory that scrypt needs. Node's default limit would reject a higher cost.
  const options = { N: 2 ** log2N, r, p, maxmem: 2 * bytesOf(cost) };
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
