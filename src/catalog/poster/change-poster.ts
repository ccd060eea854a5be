import { createHash } from 'node:crypto';
import { Refusal } from '../../kernel/refusal.js';
import type { Tx } from '../../platform/sql/index.js';
import { type Concert, concertEdited } from '../concert-cache.js';
import type { ConcertChange } from '../edit-concert.js';
import { lockConcert } from '../queries.js';
import type { Poster } from './poster.js';
import { copyPosterContent, deletePosterContent, insertPosterContent, updatePoster } from './queries.js';
import { readImage } from './read-image.js';

const HASH_CHARS = 22;

export interface NewPoster {
  readonly poster: Poster;
  /** Base64, because both databases store it alike as text. */
  readonly content: string;
}

/** Checks the bytes of an upload; refuses what is not an acceptable image. */
export function readPoster(bytes: Buffer): NewPoster {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, HASH_CHARS);
  return { poster: { ...readImage(bytes), hash }, content: bytes.toString('base64') };
}

/** Replaces the poster, or removes it with its content. */
export async function changePoster(
  tx: Tx,
  concertId: string,
  next: NewPoster | null,
): Promise<ConcertChange> {
  const before = await tx.get(lockConcert, [concertId]);
  if (!before) throw new Refusal('CONCERT_NOT_FOUND');
  const after: Concert = { ...before, poster: next && JSON.stringify(next.poster) };
  if (after.poster === before.poster) return { before, after };
  await tx.exec(updatePoster, [concertId, after.poster]);
  await tx.exec(deletePosterContent, [concertId]);
  if (next) await tx.exec(insertPosterContent, [concertId, next.poster.hash, next.content]);
  tx.publish(concertEdited, after);
  return { before, after };
}

/** For a copy that nobody sees yet. The lock keeps the source's poster from being replaced meanwhile. */
export async function copyPoster(tx: Tx, sourceId: string, concertId: string): Promise<void> {
  const poster = (await tx.get(lockConcert, [sourceId]))?.poster ?? null;
  if (poster === null) return;
  await tx.exec(updatePoster, [concertId, poster]);
  await tx.exec(copyPosterContent, [concertId, sourceId]);
}
