import type { ImageInfo, ReadImage } from './image-info.js';
import { orientationOnly } from './jpeg-orientation.js';

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const EXIF_OR_XMP = 0xe1;

/** Start-of-frame markers: 0xC0 to 0xCF without the tables (0xC4, 0xCC) and the reserved 0xC8. */
const isFrameStart = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Restart markers are inside the data of a scan. 0xFF00 is an escaped 0xFF there, and 0xFF may be repeated as padding. */
const isInScan = (marker: number): boolean =>
  marker === 0x00 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7);

/** Application segments 1 to 15 and comments, but not a colour profile (ICC in 2) or Adobe's colour transform (14). */
const isMetadata = (marker: number, segment: Buffer): boolean =>
  marker === 0xfe ||
  (marker >= 0xe1 &&
    marker <= 0xef &&
    marker !== 0xee &&
    !(marker === 0xe2 && segment.toString('latin1', 4, 15) === 'ICC_PROFILE'));

/**
 * Segments (marker, length, data): a start of a frame with the size, then at least one scan, at last the end of the image.
 * Undefined: not a JPEG, or incomplete.
 */
export function readJpeg(bytes: Buffer): ReadImage | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  const kept = [bytes.subarray(0, 2)];
  let size: Pick<ImageInfo, 'width' | 'height'> | undefined;
  let hasScan = false;
  let at = 2;
  while (at + 2 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    if (marker === END_OF_IMAGE) {
      kept.push(bytes.subarray(at, at + 2));
      return size && hasScan
        ? { info: { mediaType: 'image/jpeg', ...size }, content: Buffer.concat(kept) }
        : undefined;
    }
    if (marker === 0xff) {
      // Padding in front of a marker.
      at += 1;
      continue;
    }
    if (at + 4 > bytes.length) return undefined;
    const dataEnd = at + 2 + bytes.readUInt16BE(at + 2);
    const end = marker === START_OF_SCAN ? findScanEnd(bytes, dataEnd) : dataEnd;
    const segment = bytes.subarray(at, end);
    if (isFrameStart(marker)) size ??= readSize(segment);
    if (marker === START_OF_SCAN && !size) return undefined;
    hasScan ||= marker === START_OF_SCAN;
    kept.push(...cleaned(marker, segment));
    at = end;
  }
  return undefined;
}

function cleaned(marker: number, segment: Buffer): Buffer[] {
  if (!isMetadata(marker, segment)) return [segment];
  const orientation = marker === EXIF_OR_XMP ? orientationOnly(segment) : undefined;
  return orientation ? [orientation] : [];
}

const readSize = (frame: Buffer): Pick<ImageInfo, 'width' | 'height'> | undefined =>
  frame.length < 9 ? undefined : { height: frame.readUInt16BE(5), width: frame.readUInt16BE(7) };

/** Where the marker after the data of a scan is. */
function findScanEnd(bytes: Buffer, start: number): number {
  let at = bytes.indexOf(0xff, start);
  while (at !== -1 && isInScan(bytes[at + 1] ?? 0)) at = bytes.indexOf(0xff, at + 1);
  return at === -1 ? bytes.length : at;
}
