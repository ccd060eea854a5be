import { statement } from '../../platform/sql/index.js';
import type { ConcertRow } from '../queries.js';

export const updatePoster = statement<[concertId: string, poster: string | null]>(
  'update_poster',
  'UPDATE concerts SET poster = $2 WHERE id = $1',
);

export const findPoster = statement<[concertId: string], Pick<ConcertRow, 'poster'>>(
  'find_poster',
  'SELECT poster FROM concerts WHERE id = $1',
);

/** Inserts nothing if there is no such concert, or if it has this content already. */
export const insertPosterContent = statement<[concertId: string, hash: string, content: string]>(
  'insert_poster_content',
  `INSERT INTO posters (concert_id, hash, content)
   SELECT id, CAST($2 AS TEXT), CAST($3 AS TEXT) FROM concerts WHERE id = $1 ON CONFLICT (concert_id, hash) DO NOTHING`,
);

/** A hash that no content has deletes all. */
export const deleteOtherPosterContents = statement<[concertId: string, hash: string]>(
  'delete_other_poster_contents',
  'DELETE FROM posters WHERE concert_id = $1 AND hash <> $2',
);

export const findPosterContent = statement<[concertId: string, hash: string], { content: string }>(
  'find_poster_content',
  'SELECT content FROM posters WHERE concert_id = $1 AND hash = $2',
);

export const copyPosterContent = statement<[concertId: string, sourceId: string, hash: string]>(
  'copy_poster_content',
  `INSERT INTO posters (concert_id, hash, content)
   SELECT CAST($1 AS TEXT), hash, content FROM posters WHERE concert_id = $2 AND hash = $3`,
);

export const deleteAbandonedPosters = statement(
  'delete_abandoned_posters',
  `DELETE FROM posters WHERE concert_id IN (SELECT id FROM concerts WHERE state = 'ABANDONED')`,
);
