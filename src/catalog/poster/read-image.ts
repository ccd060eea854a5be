import { Refusal } from '../../kernel/refusal.js';
import type { ReadImage } from './image-info.js';
import { readJpeg } from './read-jpeg.js';
import { readPng } from './read-png.js';
import { readWebp } from './read-webp.js';

export const POSTER_MAX_BYTES = 2 * 1024 * 1024;
/** Smaller pictures look poor on a concert's page. */
const POSTER_SIDE_MIN_PX = 200;
/** A picture that compresses well could otherwise fill the memory of a phone. */
const POSTER_SIDE_MAX_PX = 4096;

/** Refuses anything but a complete PNG, JPEG or WebP image of an acceptable size. */
export function readImage(bytes: Buffer): ReadImage {
  if (bytes.length > POSTER_MAX_BYTES) throw new Refusal('IMAGE_TOO_LARGE', { limit: POSTER_MAX_BYTES });
  const image = readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
  if (!image) throw new Refusal('IMAGE_TYPE_UNSUPPORTED');
  const { width, height } = image.info;
  if (Math.min(width, height) < POSTER_SIDE_MIN_PX || Math.max(width, height) > POSTER_SIDE_MAX_PX)
    throw new Refusal('IMAGE_DIMENSIONS_INVALID', {
      width,
      height,
      min: POSTER_SIDE_MIN_PX,
      max: POSTER_SIDE_MAX_PX,
    });
  return image;
}
