import type { ReadImage } from './image-info.js';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Length and type before the data, a checksum after it. */
const CHUNK_OVERHEAD_BYTES = 12;
const HEADER_BYTES = 13;

const METADATA = ['eXIf', 'iTXt', 'tEXt', 'tIME', 'zTXt'];

/** A signature, then chunks: first IHDR with the size, last IEND. Undefined: not a PNG, or incomplete. */
export function readPng(bytes: Buffer): ReadImage | undefined {
  const headerEnd = SIGNATURE.length + CHUNK_OVERHEAD_BYTES + HEADER_BYTES;
  if (bytes.length < headerEnd || !bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return undefined;
  const content = bytes.toString('latin1', 12, 16) === 'IHDR' ? withoutMetadata(bytes) : undefined;
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  return content && { info: { mediaType: 'image/png', ...size }, content };
}

function withoutMetadata(bytes: Buffer): Buffer | undefined {
  const kept: Buffer[] = [SIGNATURE];
  let hasPixels = false;
  let at = SIGNATURE.length;
  while (at + CHUNK_OVERHEAD_BYTES <= bytes.length) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + CHUNK_OVERHEAD_BYTES + bytes.readUInt32BE(at);
    hasPixels ||= type === 'IDAT';
    if (!METADATA.includes(type)) kept.push(bytes.subarray(at, end));
    if (type === 'IEND') return hasPixels && end <= bytes.length ? Buffer.concat(kept) : undefined;
    at = end;
  }
  return undefined;
}
