import { deflateSync } from 'node:zlib';

/** Small images with the given dimensions. The PNG is a real picture; of the others only the structure is. */

const CRC_TABLE = Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** One colour, `#rrggbb`. `padding` bytes of a private chunk make the file larger; `chunks` come after the header. */
export function pngImage(
  width: number,
  height: number,
  colour = '#a8173f',
  padding = 0,
  chunks: readonly Buffer[] = [],
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const pixel = Buffer.from(colour.slice(1), 'hex');
  const row = Buffer.concat([Buffer.alloc(1), ...Array.from({ length: width }, () => pixel)]);
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    ...chunks,
    ...(padding > 0 ? [pngChunk('fOyR', Buffer.alloc(padding))] : []),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

export const jpegSegment = (marker: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
};

/** A progressive JPEG of two scans. `segments` come after the header. */
export function jpegImage(width: number, height: number, segments: readonly Buffer[] = []): Buffer {
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  const scanHeader = jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0]));
  // An escaped 0xFF and a restart marker.
  const scan = Buffer.concat([scanHeader, Buffer.from([1, 2, 0xff, 0x00, 3, 0xff, 0xd0, 4])]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xe0, Buffer.from('JFIF\0\u0001\u0002\0\0\u0001\0\u0001\0\0', 'latin1')),
    ...segments,
    jpegSegment(0xc2, frame),
    scan,
    jpegSegment(0xc4, Buffer.alloc(20)),
    scan,
    Buffer.from([0xff, 0xd9]),
  ]);
}

export const webpChunk = (type: string, data: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.write(type, 0, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
};

type WebpKind = 'VP8 ' | 'VP8L' | 'VP8X';

function lossyChunk(width: number, height: number): Buffer {
  const data = Buffer.alloc(21);
  data.writeUIntBE(0x9d012a, 3, 3);
  data.writeUInt16LE(width, 6);
  data.writeUInt16LE(height, 8);
  return webpChunk('VP8 ', data);
}

function losslessChunk(width: number, height: number): Buffer {
  const data = Buffer.alloc(20);
  data.writeUInt8(0x2f, 0);
  data.writeUInt32LE(((height - 1) << 14) | (width - 1), 1);
  return webpChunk('VP8L', data);
}

function extendedChunks(width: number, height: number, flags: number): Buffer {
  const data = Buffer.alloc(10);
  data.writeUInt8(flags, 0);
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return Buffer.concat([webpChunk('VP8X', data), lossyChunk(width, height)]);
}

const CHUNKS_OF: Readonly<Record<WebpKind, (width: number, height: number, flags: number) => Buffer>> = {
  'VP8 ': lossyChunk,
  VP8L: losslessChunk,
  VP8X: extendedChunks,
};

/** `flags` and `chunks` after the pixels are for an extended file. */
export function webpImage(
  width: number,
  height: number,
  kind: WebpKind = 'VP8X',
  flags = 0,
  chunks: readonly Buffer[] = [],
): Buffer {
  const pixels = CHUNKS_OF[kind](width, height, flags);
  return webpChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), pixels, ...chunks]));
}
