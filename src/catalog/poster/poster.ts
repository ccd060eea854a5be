import { Type } from 'typebox';
import { API_PREFIX, closed, Count, Nullable } from '../../platform/web/index.js';
import type { ImageInfo } from './image-info.js';

/** What a concert's row says about its poster, as JSON. The content has a table of its own. */
export interface Poster extends ImageInfo {
  /** Of the content: a new poster has a new address, so that browsers may keep each one forever. */
  readonly hash: string;
}

/** Of a column that only this folder writes. */
export const parsePoster = (json: string | null): Poster | null =>
  json === null ? null : (JSON.parse(json) as Poster);

/** Null: the concert has none. */
export const PosterSchema = Nullable(
  closed({
    path: Type.String({ description: 'On this server; the content at a path never changes' }),
    width: Count,
    height: Count,
  }),
);

/** The poster as the API shows it. */
export const toPoster = (concertId: string, { hash, width, height }: Poster) => ({
  path: `${API_PREFIX}/concerts/${concertId}/posters/${hash}`,
  width,
  height,
});
