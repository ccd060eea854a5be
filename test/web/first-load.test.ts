import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const WEB = new URL('../../dist/web/', import.meta.url);
const FIRST_LOAD_MAX_BYTES = 100 * 1024;

const read = (path: string): string => readFileSync(new URL(`.${path}`, WEB), 'utf8');

/** The static imports of a module. */
const importsOf = (code: string): string[] =>
  [...code.matchAll(/(?:^|[;}\s])import(?:[\w\s{},*$]+from)?\s*["']\.\/([^"']+\.js)["']/g)].map(
    ([, name = '']) => `/assets/${name}`,
  );

describe('the first load of the pages', () => {
  const html = read('/index.html');
  const scripts = [...html.matchAll(/<(?:script|link)\b[^>]*(?:src|href)="([^"]+\.js)"/g)].map(
    ([, path]) => path ?? '',
  );

  it('needs less than 100 KB of compressed JavaScript, without the promoter’s pages and the seat map', () => {
    expect(scripts.length).toBeGreaterThan(0);
    const loaded = new Set(scripts);
    for (const path of loaded) for (const next of importsOf(read(path))) loaded.add(next);
    const bytes = [...loaded].reduce((sum, path) => sum + statSync(new URL(`.${path}.br`, WEB)).size, 0);
    expect(bytes).toBeLessThan(FIRST_LOAD_MAX_BYTES);
    expect([...loaded].filter((path) => /operator|seat-map|seats-page/.test(path))).toEqual([]);
  });

  it('has no inline code or style, which the CSP would block', () => {
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
  });
});
