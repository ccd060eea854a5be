import { createHash } from 'node:crypto';
import { Refusal } from '../../kernel/refusal.js';
import type { Tx } from '../../platform/sql/index.js';
import { type Concert, concertEdited } from '../concert-cache.js';
import type { ConcertChange } from '../edit-concert.js';
import { lockConcert } from '../queries.js';
import { parsePoster, type Poster } from './poster.js';
import {
  copyPosterContent,
  deleteOtherPosterContents,
  findPoster,
  insertPosterContent,
  updatePoster,
} from './queries.js';
import { readImage } from './read-image.js';

const HASH_CHARS = 22;
/** No content has this hash. */
const NO_HASH = '';

export interface NewPoster {
  readonly poster: Poster;
  /** Base64, because both databases store it alike as text. */
  readonly content: string;
}

/** Checks the bytes of an upload and drops their metadata; refuses what is not an acceptable image. */
export function readPoster(bytes: Buffer): NewPoster {
  const { info, content } = readImage(bytes);
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, HASH_CHARS);
  return { poster: { ...info, hash }, content: content.toString('base64') };
}

/**
 * Replaces the poster, or removes it with its content. Holds wait for the lock on the concert, so the content is written
 * before.
 */
export async function changePoster(
  tx: Tx,
  concertId: string,
  next: NewPoster | null,
): Promise<ConcertChange> {
  const insertContent = (poster: NewPoster) =>
    tx.exec(insertPosterContent, [concertId, poster.poster.hash, poster.content]);
  const inserted = next ? await insertContent(next) : 0;
  const before = await tx.get(lockConcert, [concertId]);
  if (!before) throw new Refusal('CONCERT_NOT_FOUND');
  const after: Concert = { ...before, poster: next && JSON.stringify(next.poster) };
  if (after.poster === before.poster) return { before, after };
  await tx.exec(updatePoster, [concertId, after.poster]);
  await tx.exec(deleteOtherPosterContents, [concertId, next?.poster.hash ?? NO_HASH]);
  // The content existed already, but another upload may have deleted it before this transaction got the lock.
  if (next && inserted === 0) await insertContent(next);
  tx.publish(concertEdited, after);
  return { before, after };
}

/**
 * For a copy that is still invisible. Does not lock the source, which may be on sale: a poster that is removed or replaced
 * at this moment is not copied.
 */
export async function copyPoster(tx: Tx, sourceId: string, concertId: string): Promise<void> {
  const json = (await tx.get(findPoster, [sourceId]))?.poster ?? null;
  const poster = parsePoster(json);
  if (poster === null) return;
  const copied = await tx.exec(copyPosterContent, [concertId, sourceId, poster.hash]);
  if (copied > 0) await tx.exec(updatePoster, [concertId, json]);
}
