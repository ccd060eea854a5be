import { type HeadOptions, type SharedConcert, withHead } from './document-head.js';
import { compressedDocument, type PageFile } from './page-files.js';

/** A document has a few kilobytes; the concerts on sale at the same time are fewer. */
const CACHED_PAGES_MAX = 200;

/** The documents of concerts. Each is built once, and again after its concert was edited: it is a new object then. */
export function createConcertPages(template: string, head: HeadOptions) {
  const pages = new Map<string, { readonly concert: SharedConcert; readonly page: PageFile }>();

  return (concert: SharedConcert): PageFile => {
    const cached = pages.get(concert.id);
    // Deleted also if it is current: the least recently used is first.
    pages.delete(concert.id);
    const current =
      cached?.concert === concert
        ? cached
        : { concert, page: compressedDocument(withHead(template, head, concert)) };
    pages.set(concert.id, current);
    const [oldest] = pages.keys();
    if (pages.size > CACHED_PAGES_MAX && oldest !== undefined) pages.delete(oldest);
    return current.page;
  };
}
