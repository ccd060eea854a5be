import { Refusal } from '../../kernel/refusal.js';

/** What the bytes of an image say about it. The name and the declared type of an upload are not trusted. */
export interface ImageInfo {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/webp';
  readonly width: number;
  readonly height: number;
}

export const POSTER_MAX_BYTES = 2 * 1024 * 1024;
/** Smaller pictures look poor on a concert's page. */
const POSTER_SIDE_MIN_PX = 200;
/** A picture that compresses well could otherwise fill the memory of a phone. */
const POSTER_SIDE_MAX_PX = 4096;

/** Refuses anything but a PNG, JPEG or WebP image of an acceptable size. */
export function readImage(bytes: Buffer): ImageInfo {
  if (bytes.length > POSTER_MAX_BYTES) throw new Refusal('IMAGE_TOO_LARGE', { limit: POSTER_MAX_BYTES });
  const image = readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
  if (!image) throw new Refusal('IMAGE_TYPE_UNSUPPORTED');
  const { width, height } = image;
  if (Math.min(width, height) < POSTER_SIDE_MIN_PX || Math.max(width, height) > POSTER_SIDE_MAX_PX)
    throw new Refusal('IMAGE_DIMENSIONS_INVALID', {
      width,
      height,
      min: POSTER_SIDE_MIN_PX,
      max: POSTER_SIDE_MAX_PX,
    });
  return image;
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PNG_END = Buffer.from('IEND', 'latin1');

/** Signature, then the chunk IHDR with the size; IEND is the last chunk. */
function readPng(bytes: Buffer): ImageInfo | undefined {
  const isPng =
    bytes.length >= 45 &&
    bytes.subarray(0, 8).equals(PNG_SIGNATURE) &&
    bytes.toString('latin1', 12, 16) === 'IHDR' &&
    bytes.includes(PNG_END, bytes.length - 12);
  return isPng
    ? { mediaType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : undefined;
}

/** Start-of-frame markers: 0xC0 to 0xCF without the tables (0xC4, 0xCC) and the reserved 0xC8. */
const isFrameStart = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** A list of segments (marker, length, data); the first start of a frame has the size. */
function readJpeg(bytes: Buffer): ImageInfo | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    if (isFrameStart(marker))
      return {
        mediaType: 'image/jpeg',
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
      };
    // 0xFF may be repeated as padding in front of a marker.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** A RIFF container whose first chunk is VP8 (lossy), VP8L (lossless) or VP8X (extended), each with its own header. */
function readWebp(bytes: Buffer): ImageInfo | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  if (bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  const mediaType = 'image/webp';
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ': {
      const hasStartCode = bytes.readUIntBE(23, 3) === 0x9d012a;
      const size = (at: number): number => bytes.readUInt16LE(at) & 0x3fff;
      return hasStartCode ? { mediaType, width: size(26), height: size(28) } : undefined;
    }
    case 'VP8L': {
      if (bytes[20] !== 0x2f) return undefined;
      const bits = bytes.readUInt32LE(21);
      return { mediaType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { mediaType, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}
