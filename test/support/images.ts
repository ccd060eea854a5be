import { deflateSync } from 'node:zlib';

/** Small images with the given dimensions. Only the headers matter to Foyer; the PNG is a real picture. */

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

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** One colour, `#rrggbb`. `padding` bytes of a private chunk make the file larger. */
export function pngImage(width: number, height: number, colour = '#a8173f', padding = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const pixel = Buffer.from(colour.slice(1), 'hex');
  const row = Buffer.concat([Buffer.alloc(1), ...Array.from({ length: width }, () => pixel)]);
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    ...(padding > 0 ? [chunk('fOyR', Buffer.alloc(padding))] : []),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A JPEG with an application segment before its progressive frame. */
export function jpegImage(width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, 0xc2, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const application = Buffer.from([0xff, 0xe0, 0, 6, 1, 2, 3, 4]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), application, frame, Buffer.from([0xff, 0xd9])]);
}

type WebpKind = 'VP8 ' | 'VP8L' | 'VP8X';

export function webpImage(width: number, height: number, kind: WebpKind = 'VP8X'): Buffer {
  const image = Buffer.alloc(32);
  image.write('RIFF', 0, 'latin1');
  image.writeUInt32LE(24, 4);
  image.write('WEBP', 8, 'latin1');
  image.write(kind, 12, 'latin1');
  if (kind === 'VP8X') {
    image.writeUIntLE(width - 1, 24, 3);
    image.writeUIntLE(height - 1, 27, 3);
  } else if (kind === 'VP8L') {
    image.writeUInt8(0x2f, 20);
    image.writeUInt32LE(((height - 1) << 14) | (width - 1), 21);
  } else {
    image.writeUIntBE(0x9d012a, 23, 3);
    image.writeUInt16LE(width, 26);
    image.writeUInt16LE(height, 28);
  }
  return image;
}
