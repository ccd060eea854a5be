import type { ImageInfo, ReadImage } from './image-info.js';

/** RIFF, the length of the rest, WEBP. */
const FILE_HEADER_BYTES = 12;
/** Type and length. */
const CHUNK_HEADER_BYTES = 8;
/** Lossy, lossless, or a frame of an animation. */
const PIXELS = ['VP8 ', 'VP8L', 'ANMF'];
const METADATA = ['EXIF', 'XMP '];
/** In the flags of VP8X: that there is EXIF (bit 3) or XMP (bit 2). */
const METADATA_FLAGS = 0b1100;

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/**
 * A RIFF container whose first chunk is VP8 (lossy), VP8L (lossless) or VP8X (extended), each with its own header.
 * Undefined: not a WebP, or incomplete.
 */
export function readWebp(bytes: Buffer): ReadImage | undefined {
  const chunks = readChunks(bytes);
  const [first] = chunks ?? [];
  if (!chunks || !first || !chunks.some(({ type }) => PIXELS.includes(type))) return undefined;
  const size = readSize(first);
  return size && { info: { mediaType: 'image/webp', ...size }, content: withoutMetadata(chunks) };
}

/** Undefined unless every chunk is complete. */
function readChunks(bytes: Buffer): Chunk[] | undefined {
  if (bytes.length < FILE_HEADER_BYTES) return undefined;
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return undefined;
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return undefined;
  const chunks: Chunk[] = [];
  let at = FILE_HEADER_BYTES;
  while (at + CHUNK_HEADER_BYTES <= end) {
    const dataAt = at + CHUNK_HEADER_BYTES;
    const length = bytes.readUInt32LE(at + 4);
    if (dataAt + length > end) return undefined;
    chunks.push({
      type: bytes.toString('latin1', at, at + 4),
      data: bytes.subarray(dataAt, dataAt + length),
    });
    // Chunks begin at even addresses.
    at = dataAt + length + (length % 2);
  }
  return chunks;
}

function withoutMetadata(chunks: readonly Chunk[]): Buffer {
  const kept = chunks.filter(({ type }) => !METADATA.includes(type)).map(writeChunk);
  return writeChunk({ type: 'RIFF', data: Buffer.concat([Buffer.from('WEBP', 'latin1'), ...kept]) });
}

function writeChunk({ type, data }: Chunk): Buffer {
  const header = Buffer.alloc(CHUNK_HEADER_BYTES);
  header.write(type, 0, 'latin1');
  header.writeUInt32LE(data.length, 4);
  const chunk = Buffer.concat([header, data, Buffer.alloc(data.length % 2)]);
  if (type === 'VP8X')
    chunk.writeUInt8(chunk.readUInt8(CHUNK_HEADER_BYTES) & ~METADATA_FLAGS, CHUNK_HEADER_BYTES);
  return chunk;
}

function readSize({ type, data }: Chunk): Pick<ImageInfo, 'width' | 'height'> | undefined {
  if (data.length < 10) return undefined;
  switch (type) {
    case 'VP8 ': {
      const hasStartCode = data.readUIntBE(3, 3) === 0x9d012a;
      const size = (at: number): number => data.readUInt16LE(at) & 0x3fff;
      return hasStartCode ? { width: size(6), height: size(8) } : undefined;
    }
    case 'VP8L': {
      if (data[0] !== 0x2f) return undefined;
      const bits = data.readUInt32LE(1);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
    default:
      return undefined;
  }
}
