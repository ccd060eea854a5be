import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../src/config.js';
import { PROBLEMS } from '../../src/http/errors/problems.js';
import type { RefusalCode } from '../../src/kernel/refusal.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NOT_OURS = /^(node_modules|dist.*|data|coverage|test-results|\.git)$/;

function markdownUnder(directory: string): string[] {
  return readdirSync(join(ROOT, directory), { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return NOT_OURS.test(entry.name) ? [] : markdownUnder(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, group = '']) => group);
const unique = (names: readonly string[]): string[] => [...new Set(names)].sort();

const PAGES = markdownUnder('.');
const READMES = ['README.md', 'README.ko.md'];

/** Whatever `readSettings` asks the environment for, whichever way it asks. */
function settingNames(): string[] {
  const asked = new Set<string>();
  readSettings(
    new Proxy<NodeJS.ProcessEnv>(
      {},
      {
        get(_target, name) {
          asked.add(String(name));
          return undefined;
        },
      },
    ),
  );
  return [...asked].sort();
}

/** As GitHub makes the anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const withoutCode = (text: string): string =>
  text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
const anchorsOf = (text: string): string[] =>
  matches(text.replace(/^```[\s\S]*?^```/gm, ''), /^#{1,6} (.+)$/gm).map(anchorOf);

/** The relative links of a page that lead nowhere. */
function brokenLinks(page: string): string[] {
  const links = matches(withoutCode(read(page)), /\]\(([^)\s]+)\)/g).filter((link) => !/^[a-z]+:/.test(link));
  return links.filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && !anchorsOf(read(target)).includes(decodeURIComponent(anchor));
  });
}

/** The commands of a page: what stands in its shell blocks, but for comments. */
const commandsOf = (page: string): string[] =>
  matches(read(page), /^```bash\n([\s\S]*?)^```/gm)
    .flatMap((block) => block.split('\n'))
    .filter((line) => line !== '' && !line.startsWith('#'));

describe('the docs', () => {
  it('are found', () => {
    expect(PAGES).toEqual(
      expect.arrayContaining([...READMES, 'ARCHITECTURE.md', 'docs/operations.md', 'docs/problems.md']),
    );
  });

  it.each(READMES)('name every setting in %s, and no other', (page) => {
    const table = matches(read(page), /^\| `([A-Z_]+)` +\|/gm);
    expect(unique(table)).toEqual(settingNames());
    const named = matches(read(page), /\b(FOYER_[A-Z_]*[A-Z])\b/g);
    expect(settingNames()).toEqual(expect.arrayContaining(named));
  });

  it.each(['docs/operations.md', 'docs/security.md'])('name only settings that there are in %s', (page) => {
    const named = matches(read(page), /\b(FOYER_[A-Z_]*[A-Z])\b/g);
    expect(named.length).toBeGreaterThan(0);
    expect(settingNames()).toEqual(expect.arrayContaining(named));
  });

  it.each([...READMES, 'docs/operations.md'])('name every metric of Foyer in %s', (page) => {
    const source = read('src/telemetry.ts') + read('src/http/observability/request-metrics.ts');
    const counted = unique(matches(source, /'(foyer_[a-z_]+)'/g));
    expect(counted.length).toBeGreaterThan(0);
    const named = matches(read(page), /\b(foyer_[a-z_]+)/g).map((name) => name.replace(/_bucket$/, ''));
    expect(unique(named)).toEqual(counted);
  });

  it('give the same commands in both languages', () => {
    const [english = '', korean = ''] = READMES;
    expect(commandsOf(korean)).toEqual(commandsOf(english));
  });

  it.each(READMES)('call only what the API has in %s', (page) => {
    const known = Object.keys(JSON.parse(read('openapi.json')).paths).map((path) =>
      path.replace('/api/v1', '').replace(/\{\w+\}/g, '*'),
    );
    const called = matches(commandsOf(page).join('\n'), /\$API(\/[\w/$-]+)/g);
    expect(called.length).toBeGreaterThan(0);
    expect(known).toEqual(expect.arrayContaining(called.map((path) => path.replace(/\$\w+/g, '*'))));
  });

  it('name every file of attacks in docs/security.md', () => {
    const files = readdirSync(join(ROOT, 'test/attack')).map((file) => `../test/attack/${file}`);
    expect(matches(read('docs/security.md'), /\]\(([^)\s]+)\)/g)).toEqual(expect.arrayContaining(files));
  });

  it('list every decision in docs/adr/README.md', () => {
    const files = PAGES.filter((page) => /^docs\/adr\/\d{4}-/.test(page)).map((page) =>
      page.slice('docs/adr/'.length),
    );
    expect(unique(matches(read('docs/adr/README.md'), /\]\((\d{4}-[\w-]+\.md)\)/g))).toEqual(files.sort());
  });

  it('list every refusal with its status, and no other', () => {
    const [codes = ''] = read('docs/problems.md').split('## Why access was denied');
    const rows = [...codes.matchAll(/^\| `([A-Z_]+)` +\| ([\d, ]+?) +\|/gm)];
    expect(rows.map(([, code]) => code)).toEqual(Object.keys(PROBLEMS));
    for (const [, code = '', statuses = ''] of rows) {
      expect(statuses.split(', '), code).toContain(String(PROBLEMS[code as RefusalCode].status));
    }
  });

  it('say which refusals no call of openapi.json gives', () => {
    const described = new Set(matches(read('openapi.json'), /"([A-Z_]+)"/g));
    const others = Object.keys(PROBLEMS).filter((code) => !described.has(code));
    const sentence = /^(.*) belong to no call/m.exec(read('docs/problems.md'))?.[1] ?? '';
    expect(matches(sentence, /`([A-Z_]+)`/g)).toEqual(others);
  });

  it.each(PAGES)('have no link that leads nowhere in %s', (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it.each(PAGES)('name no path of somebody’s machine in %s', (page) => {
    expect(read(page)).not.toMatch(/(^|[\s`"'(=])\/(work|tmp|root|home|Users|srv|var)\b/m);
  });
});
