import type { ImageInfo } from './image-info.js';

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/** Start-of-frame markers: 0xC0 to 0xCF without the tables (0xC4, 0xCC) and the reserved 0xC8. */
const isFrameStart = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Restart markers are inside the data of a scan. 0xFF00 is an escaped 0xFF there, and 0xFF may be repeated as padding. */
const isInScan = (marker: number): boolean =>
  marker === 0x00 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7);

/**
 * Segments (marker, length, data): a start of a frame with the size, then at least one scan, at last the end of the image.
 * What follows the end is ignored. Undefined: not a JPEG, or incomplete.
 */
export function readJpeg(bytes: Buffer): ImageInfo | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let size: Pick<ImageInfo, 'width' | 'height'> | undefined;
  let hasScan = false;
  let at = 2;
  while (at + 2 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    if (marker === END_OF_IMAGE) return size && hasScan ? { mediaType: 'image/jpeg', ...size } : undefined;
    if (marker === 0xff) {
      // Padding in front of a marker.
      at += 1;
      continue;
    }
    if (at + 9 > bytes.length) return undefined;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (isFrameStart(marker))
      size ??= { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    if (marker === START_OF_SCAN && !size) return undefined;
    hasScan ||= marker === START_OF_SCAN;
    at = marker === START_OF_SCAN ? findScanEnd(bytes, end) : end;
  }
  return undefined;
}

/** Where the marker after the data of a scan is. */
function findScanEnd(bytes: Buffer, start: number): number {
  let at = bytes.indexOf(0xff, start);
  while (at !== -1 && isInScan(bytes[at + 1] ?? 0)) at = bytes.indexOf(0xff, at + 1);
  return at === -1 ? bytes.length : at;
}
