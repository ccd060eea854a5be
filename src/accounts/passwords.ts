import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, type Options, parseOptions, verify } from '@node-rs/argon2';
import { clientNetworks } from '../kernel/client-networks.js';
import type { HashClient } from '../kernel/hash-client.js';
import { SECOND_MS } from '../kernel/time.js';
import { createHashQueue, type QueuedClient } from './hash-queue.js';

const KIB_PER_MIB = 1024;
/** The most memory that hashes may take together. */
const HASH_MEMORY_MAX_MIB = 256;
/** Half of Node's four worker threads, which also run argon2: the others look up host names and read files. */
const HASH_THREADS_MAX = 2;
/** In each lane. */
const WAITING_HASHES_MAX = 1000;
/** The pages wait for 60 seconds, and so does nginx. */
const HASH_WAIT_MAX_MS = 50 * SECOND_MS;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** The parameters of argon2id, besides its memory, that OWASP recommends for 19 MiB. */
const ARGON2 = { timeCost: 2, parallelism: 1, outputLen: HASH_BYTES } as const satisfies Options;

/** A core stays free for requests, so that a rush of sign-ins does not slow down those who are signed in. */
const concurrencyOf = (memoryMib: number): number =>
  Math.max(
    1,
    Math.min(HASH_THREADS_MAX, availableParallelism() - 1, Math.floor(HASH_MEMORY_MAX_MIB / memoryMib)),
  );

export interface Verified {
  readonly isCorrect: boolean;
  /** The same password at the current cost, if the stored hash has a lower one. */
  readonly strongerHash?: string;
}

export interface Passwords {
  hash(password: string, client?: HashClient): Promise<string>;
  /** An unknown address (no hash) takes the same time as a wrong password, so the time does not reveal who has an account. */
  verify(password: string, passwordHash: string | undefined, client?: HashClient): Promise<Verified>;
  /** Hashes a new password if the current one is correct; otherwise undefined. Both in one turn. */
  replace(
    change: NewPassword,
    passwordHash: string | undefined,
    client?: HashClient,
  ): Promise<string | undefined>;
}

export interface NewPassword {
  readonly currentPassword: string;
  readonly newPassword: string;
}

/** Passwords are hashed with argon2id. A hash contains its cost, so a higher `memoryMib` does not break older hashes. */
export function createPasswords(memoryMib: number): Passwords {
  const options: Options = { ...ARGON2, memoryCost: memoryMib * KIB_PER_MIB };
  const cost = costOf(options);
  const queue = createHashQueue({
    concurrentMax: concurrencyOf(memoryMib),
    waitingMax: WAITING_HASHES_MAX,
    waitMaxMs: HASH_WAIT_MAX_MS,
  });
  const dummyHash = createDummyHash(memoryMib);

  const createHash = (password: string): Promise<string> => hash(normalize(password), options);

  async function verifyHash(password: string, passwordHash: string | undefined): Promise<Verified> {
    const stored = passwordHash ?? dummyHash;
    const storedCost = costOf(parse(stored));
    const isCorrect = (await verify(stored, normalize(password))) && passwordHash !== undefined;
    if (storedCost >= cost) return { isCorrect };
    // Also for a wrong password, because a weaker hash alone would take less time than an unknown address.
    const strongerHash = await createHash(password);
    return isCorrect ? { isCorrect, strongerHash } : { isCorrect };
  }

  return {
    hash: (password, client) => queue('sign-up', queued(client), () => createHash(password)),
    verify: (password, passwordHash, client) =>
      queue('sign-in', queued(client), () => verifyHash(password, passwordHash)),
    replace: ({ currentPassword, newPassword }, passwordHash, client) =>
      queue('sign-in', queued(client), async () => {
        const { isCorrect } = await verifyHash(currentPassword, passwordHash);
        return isCorrect ? createHash(newPassword) : undefined;
      }),
  };
}

const queued = ({ client = '', signal }: HashClient = {}): QueuedClient => ({
  networks: clientNetworks(client)
    .map(({ key }) => key)
    .reverse(),
  signal,
});

/** Keyboards differ in whether they compose characters (Hangul, accents); NFC makes the password the same. */
const normalize = (password: string): string => password.normalize('NFC');

const costOf = ({ memoryCost = 0, timeCost = 0 }: Options): number => memoryCost * timeCost;

/** Of the current cost; no password is known that matches it. */
function createDummyHash(memoryMib: number): string {
  const { timeCost, parallelism } = ARGON2;
  const parameters = `m=${memoryMib * KIB_PER_MIB},t=${timeCost},p=${parallelism}`;
  return ['', 'argon2id', 'v=19', parameters, randomText(SALT_BYTES), randomText(HASH_BYTES)].join('$');
}

const randomText = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '');

function parse(passwordHash: string): Options {
  try {
    return parseOptions(passwordHash);
  } catch {
    // Without the original error: its text could contain the hash.
    throw new Error('a stored password hash cannot be read');
  }
}
