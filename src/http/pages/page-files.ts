import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { packagePath } from '../../platform/runtime/index.js';
import type { Encoding } from '../../platform/web/index.js';

const DIRECTORY = packagePath('dist', 'web');

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
};
/** Compressed variants that the build writes next to each file, best first. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

export interface PageFile {
  readonly type: string;
  readonly etag: string;
  readonly bytes: Buffer;
  /** By encoding, best first. */
  readonly compressed: ReadonlyMap<Encoding, Buffer>;
}

/** The built pages by path; undefined if only the server was built. */
export type Pages = ReadonlyMap<string, PageFile>;

export function readPages(directory = DIRECTORY): Pages | undefined {
  if (!existsSync(directory)) return undefined;
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in TYPES)
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    files.map((file) => [`/${relative(directory, file).split(sep).join('/')}`, readPage(file)] as const),
  );
}

function readPage(file: string): PageFile {
  const bytes = readFileSync(file);
  return {
    type: TYPES[extname(file)] ?? 'application/octet-stream',
    etag: etagOf(bytes),
    bytes,
    compressed: new Map(
      ENCODINGS.filter(({ suffix }) => existsSync(file + suffix)).map(
        ({ name, suffix }) => [name, readFileSync(file + suffix)] as const,
      ),
    ),
  };
}

/** A weak ETag, because it is the same for all encodings. */
const etagOf = (bytes: Buffer): string =>
  `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;

/** The best one takes thirty times as long and saves a hundred bytes. */
const BROTLI_QUALITY = 5;

/** A document that is compressed once and sent often. */
export function compressedDocument(html: string): PageFile {
  const bytes = Buffer.from(html);
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
  return {
    type: TYPES['.html'] ?? '',
    etag: etagOf(bytes),
    bytes,
    compressed: new Map([['br', brotli]]),
  };
}
