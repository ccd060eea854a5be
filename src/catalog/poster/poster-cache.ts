import { Refusal } from '../../kernel/refusal.js';
import type { Sql } from '../../platform/sql/index.js';
import { findPosterContent } from './queries.js';

/** When a sale opens, everybody asks for the same few posters. */
const CACHED_MAX_BYTES = 32 * 1024 * 1024;

/** Contents of posters in memory, the least recently used dropped first. A content never changes under its hash. */
export function createPosterCache({ reader }: Pick<Sql, 'reader'>) {
  const contents = new Map<string, Buffer>();
  const reading = new Map<string, Promise<Buffer>>();
  let cachedBytes = 0;

  function keep(key: string, content: Buffer): void {
    contents.set(key, content);
    cachedBytes += content.length;
    for (const [oldest, { length }] of contents) {
      if (cachedBytes <= CACHED_MAX_BYTES) return;
      contents.delete(oldest);
      cachedBytes -= length;
    }
  }

  async function read(concertId: string, hash: string): Promise<Buffer> {
    const row = await reader.get(findPosterContent, [concertId, hash]);
    // It has just been replaced.
    if (!row) throw new Refusal('NOT_FOUND');
    return Buffer.from(row.content, 'base64');
  }

  return async (concertId: string, hash: string): Promise<Buffer> => {
    const key = `${concertId} ${hash}`;
    const cached = contents.get(key);
    if (cached) {
      contents.delete(key);
      contents.set(key, cached);
      return cached;
    }
    const pending = reading.get(key);
    if (pending) return pending;
    const content = read(concertId, hash).finally(() => reading.delete(key));
    reading.set(key, content);
    const bytes = await content;
    keep(key, bytes);
    return bytes;
  };
}
