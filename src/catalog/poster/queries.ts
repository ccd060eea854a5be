import { statement } from '../../platform/sql/index.js';

export const updatePoster = statement<[concertId: string, poster: string | null]>(
  'update_poster',
  'UPDATE concerts SET poster = $2 WHERE id = $1',
);

export const insertPosterContent = statement<[concertId: string, hash: string, content: string]>(
  'insert_poster_content',
  'INSERT INTO posters (concert_id, hash, content) VALUES ($1, $2, $3)',
);

export const deletePosterContent = statement<[concertId: string]>(
  'delete_poster_content',
  'DELETE FROM posters WHERE concert_id = $1',
);

export const findPosterContent = statement<[concertId: string, hash: string], { content: string }>(
  'find_poster_content',
  'SELECT content FROM posters WHERE concert_id = $1 AND hash = $2',
);

export const copyPosterContent = statement<[concertId: string, sourceId: string]>(
  'copy_poster_content',
  `INSERT INTO posters (concert_id, hash, content)
   SELECT CAST($1 AS TEXT), hash, content FROM posters WHERE concert_id = $2`,
);

export const deleteAbandonedPosters = statement(
  'delete_abandoned_posters',
  `DELETE FROM posters WHERE concert_id IN (SELECT id FROM concerts WHERE state = 'ABANDONED')`,
);
