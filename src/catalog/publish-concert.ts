import { Refusal } from '../kernel/refusal.js';
import type { Tx } from '../platform/sql/index.js';
import { type Concert, concertEdited } from './concert-cache.js';
import { lockConcert, publishDraft } from './queries.js';

/** Shows a draft to everybody. Publishing a concert again changes nothing. */
export async function publishConcert(
  tx: Tx,
  concertId: string,
): Promise<{ readonly concert: Concert; readonly isNew: boolean }> {
  const before = await tx.get(lockConcert, [concertId]);
  if (!before) throw new Refusal('CONCERT_NOT_FOUND');
  if (before.state === 'PUBLISHED') return { concert: before, isNew: false };
  await tx.exec(publishDraft, [concertId]);
  const concert: Concert = { ...before, state: 'PUBLISHED' };
  tx.publish(concertEdited, concert);
  return { concert, isNew: true };
}
