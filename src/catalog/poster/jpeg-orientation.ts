/** EXIF in a JPEG: this name, then a TIFF file. */
const EXIF = Buffer.from('Exif\0\0', 'latin1');
const ORIENTATION_TAG = 0x0112;
const UPRIGHT = 1;
const ORIENTATION_MAX = 8;
const ENTRY_BYTES = 12;

/**
 * Of an APP1 segment with EXIF: a segment with nothing but the orientation, because browsers turn a picture by it. Undefined:
 * it says nothing about the orientation, or that the picture is upright.
 */
export function orientationOnly(segment: Buffer): Buffer | undefined {
  // Marker and length come first.
  const data = segment.subarray(4);
  if (!data.subarray(0, EXIF.length).equals(EXIF)) return undefined;
  const orientation = readOrientation(data.subarray(EXIF.length));
  return orientation > UPRIGHT && orientation <= ORIENTATION_MAX ? exifSegment(orientation) : undefined;
}

/** Looks for the tag in the first directory. */
function readOrientation(tiff: Buffer): number {
  if (tiff.length < 8) return UPRIGHT;
  const isLittleEndian = tiff.toString('latin1', 0, 2) === 'II';
  const short = (at: number): number => {
    if (at + 2 > tiff.length) return 0;
    return isLittleEndian ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at);
  };
  const directoryAt = isLittleEndian ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const count = short(directoryAt);
  for (let entry = 0; entry < count; entry += 1) {
    const at = directoryAt + 2 + entry * ENTRY_BYTES;
    if (short(at) === ORIENTATION_TAG) return short(at + 8);
  }
  return UPRIGHT;
}

/** APP1 with a big-endian TIFF file whose only directory has one entry: one number of 16 bits. */
function exifSegment(orientation: number): Buffer {
  const tiff = [
    0x4d,
    0x4d,
    0,
    42,
    0,
    0,
    0,
    8,
    0,
    1,
    0x01,
    0x12,
    0,
    3,
    0,
    0,
    0,
    1,
    0,
    orientation,
    0,
    0,
    0,
    0,
    0,
    0,
  ];
  const length = 2 + EXIF.length + tiff.length;
  return Buffer.concat([Buffer.from([0xff, 0xe1, 0, length]), EXIF, Buffer.from(tiff)]);
}
