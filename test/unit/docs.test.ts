import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { readSettings } from '../../src/config.js';
import { PROBLEMS } from '../../src/http/errors/problems.js';
import type { RefusalCode } from '../../src/kernel/refusal.js';
import { DEFAULT_POLICY } from '../../src/waiting-room/policy/policy.js';
import { parsePolicyPatch } from '../../src/waiting-room/index.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const IGNORED_DIRECTORIES = /^(node_modules|dist.*|data|coverage|test-results|\.git)$/;
const README_LINES_MAX = 220;

function filesUnder(directory: string, extension: string): string[] {
  return readdirSync(join(ROOT, directory), { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return IGNORED_DIRECTORIES.test(entry.name) ? [] : filesUnder(path, extension);
    return entry.name.endsWith(extension) ? [path] : [];
  });
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, group = '']) => group);
const unique = (names: readonly string[]): string[] => [...new Set(names)].sort();

const PAGES = filesUnder('.', '.md');
const [ENGLISH, KOREAN] = ['README.md', 'README.ko.md'] as const;
const READMES = [ENGLISH, KOREAN];
const API_GUIDE = 'docs/api-guide.md';
const SETTINGS = 'docs/settings.md';

/** Every variable that `readSettings` reads from the environment. */
function settingNames(): string[] {
  const names = new Set<string>();
  readSettings(
    new Proxy<NodeJS.ProcessEnv>(
      {},
      {
        get(_target, name) {
          names.add(String(name));
          return undefined;
        },
      },
    ),
  );
  return [...names].sort();
}

const settingsNamedIn = (page: string): string[] => matches(read(page), /\b(FOYER_[A-Z_]*[A-Z])\b/g);

/** Every metric that the source registers. */
const metricNames = (): string[] =>
  unique(filesUnder('src', '.ts').flatMap((file) => matches(read(file), /'(foyer_[a-z_]+)'/g)));

interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
}

/** The calls of openapi.json as `GET /concerts/*`, and what the document says about each. */
function apiCalls(): Map<string, Operation> {
  const { paths } = JSON.parse(read('openapi.json')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        `${method.toUpperCase()} ${withWildcards(path.replace('/api/v1', ''))}`,
        operation,
      ]),
    ),
  );
}

const withWildcards = (path: string): string => path.replace(/\{\w+\}|\$\w+/g, '*');

const withoutCodeBlocks = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '');
const withoutCode = (text: string): string => withoutCodeBlocks(text).replace(/`[^`\n]*`/g, '');

/** The anchor that GitHub makes from a heading. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
const anchorsOf = (text: string): string[] =>
  matches(withoutCodeBlocks(text), /^#{1,6} (.+)$/gm).map(anchorOf);
const headingLevelsOf = (page: string): string[] => matches(withoutCodeBlocks(read(page)), /^(#{1,6}) /gm);

/** Targets of inline links, link definitions and images. */
const linksOf = (page: string): string[] =>
  matches(withoutCode(read(page)), /(?:\]\(|^\[[^\]]+\]: |<img src=")([^)\s"]+)/gm);
const isRelative = (link: string): boolean => !/^[a-z]+:/.test(link);

/** Relative links whose file or anchor does not exist, and link references that are not defined. */
function brokenLinks(page: string): string[] {
  const defined = matches(read(page), /^\[([^\]]+)\]: /gm);
  const undefinedReferences = matches(withoutCode(read(page)), /\]\[([^\]]+)\]/g).filter(
    (reference) => !defined.includes(reference),
  );
  const broken = linksOf(page)
    .filter(isRelative)
    .filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(read(target)).includes(decodeURIComponent(anchor));
    });
  return [...broken, ...undefinedReferences];
}

const codeBlocksOf = (page: string, language: string): string[] =>
  matches(read(page), new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'));
/** The lines of a page's shell blocks, without comments. */
const commandsOf = (page: string): string[] =>
  codeBlocksOf(page, 'bash')
    .flatMap((block) => block.split('\n'))
    .filter((line) => line !== '' && !line.startsWith('#'));

/** The text between a heading and the next heading. */
const sectionOf = (page: string, heading: string): string =>
  new RegExp(`^#+ ${heading}\\n([\\s\\S]*?)(?=^#|(?![\\s\\S]))`, 'm').exec(read(page))?.[1] ?? '';

describe('the documentation', () => {
  it('has its main pages', () => {
    expect(PAGES).toEqual(
      expect.arrayContaining([
        ...READMES,
        'ARCHITECTURE.md',
        API_GUIDE,
        'docs/glossary.md',
        'docs/operations.md',
        'docs/problems.md',
        SETTINGS,
      ]),
    );
  });

  it('lists every setting in docs/settings.md, and no other', () => {
    expect(unique(matches(read(SETTINGS), /^\| `([A-Z_]+)` +\|/gm))).toEqual(settingNames());
    expect(settingNames()).toEqual(expect.arrayContaining(settingsNamedIn(SETTINGS)));
  });

  it.each([...READMES, API_GUIDE, 'docs/operations.md', 'docs/security.md'])(
    'names only settings that exist in %s',
    (page) => {
      expect(settingsNamedIn(page).length).toBeGreaterThan(0);
      expect(settingNames()).toEqual(expect.arrayContaining(settingsNamedIn(page)));
    },
  );

  it('lists every command of the command line in docs/settings.md', () => {
    const listed = matches(sectionOf(SETTINGS, 'Commands'), /^\| `([a-z-]+)/gm);
    expect(listed).toEqual(expect.arrayContaining(Object.keys(COMMANDS)));
  });

  it('names every metric in docs/operations.md, and no other', () => {
    expect(metricNames().length).toBeGreaterThan(0);
    const named = matches(read('docs/operations.md'), /\b(foyer_[a-z_]+)/g).map((name) =>
      name.replace(/_bucket$/, ''),
    );
    expect(unique(named)).toEqual(metricNames());
  });

  it.each(READMES)(`keeps %s at ${README_LINES_MAX} lines or fewer`, (page) => {
    expect(read(page).trimEnd().split('\n').length).toBeLessThanOrEqual(README_LINES_MAX);
  });

  it('has the same headings, commands and links in both languages', () => {
    expect(headingLevelsOf(KOREAN)).toEqual(headingLevelsOf(ENGLISH));
    expect(commandsOf(KOREAN)).toEqual(commandsOf(ENGLISH));
    const links = (page: string): string[] =>
      linksOf(page).filter((link) => !link.startsWith('#') && !READMES.some((readme) => readme === link));
    expect(links(KOREAN)).toEqual(links(ENGLISH));
  });

  it.each([...READMES, API_GUIDE])('calls only paths that the API has in the commands of %s', (page) => {
    const known = [...apiCalls().keys()].map((call) => call.replace(/^\w+ /, ''));
    const called = matches(commandsOf(page).join('\n'), /\$API(\/[\w/$-]+)/g);
    expect(called.length).toBeGreaterThan(0);
    expect(known).toEqual(expect.arrayContaining(called.map(withWildcards)));
  });

  it.each([...READMES, API_GUIDE, SETTINGS, 'docs/glossary.md', 'docs/problems.md'])(
    'names only calls that the API has in %s',
    (page) => {
      const named = matches(read(page), /`((?:GET|POST|PATCH|DELETE) \/[^`\s]+)`/g).map(withWildcards);
      expect([...apiCalls().keys()]).toEqual(expect.arrayContaining(named));
    },
  );

  it('lists every call that takes an Idempotency-Key in docs/api-guide.md, and no other', () => {
    const idempotent = [...apiCalls()]
      .filter(([, { parameters = [] }]) => parameters.some(({ name }) => name === 'Idempotency-Key'))
      .map(([call]) => call);
    const listed = matches(sectionOf(API_GUIDE, 'Idempotency keys'), /^\| `(\w+ [^`]+)`/gm);
    expect(unique(listed.map(withWildcards))).toEqual(unique(idempotent));
  });

  it('lists every field of the policy with its default in docs/api-guide.md', () => {
    const rows = sectionOf(API_GUIDE, 'Waiting-room policy').matchAll(/^\| `(\w+)` +\| `(\w+)`/gm);
    const defaults = Object.entries(DEFAULT_POLICY).map(([field, value]) => [
      field,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    expect([...rows].map(([, field, value]) => [field, value])).toEqual(defaults);
  });

  it('has a policy that Foyer accepts in each of the five recipes', async () => {
    const recipes = codeBlocksOf(API_GUIDE, 'json');
    expect(recipes).toHaveLength(5);
    for (const recipe of recipes) expect(await parsePolicyPatch(JSON.parse(recipe)), recipe).toBeDefined();
  });

  it('names every attack test in docs/security.md', () => {
    const files = readdirSync(join(ROOT, 'test/attack')).map((file) => `../test/attack/${file}`);
    expect(linksOf('docs/security.md')).toEqual(expect.arrayContaining(files));
  });

  it('lists every decision in docs/adr/README.md', () => {
    const files = PAGES.filter((page) => /^docs\/adr\/\d{4}-/.test(page)).map((page) =>
      page.slice('docs/adr/'.length),
    );
    expect(unique(matches(read('docs/adr/README.md'), /\]\((\d{4}-[\w-]+\.md)\)/g))).toEqual(files.sort());
  });

  it('lists every error code with its status in docs/problems.md, and no other', () => {
    const rows = [...sectionOf('docs/problems.md', 'Codes').matchAll(/^\| `([A-Z_]+)` +\| ([\d, ]+?) +\|/gm)];
    expect(rows.map(([, code]) => code)).toEqual(Object.keys(PROBLEMS));
    for (const [, code = '', statuses = ''] of rows) {
      expect(statuses.split(', '), code).toContain(String(PROBLEMS[code as RefusalCode].status));
    }
  });

  it('says in docs/problems.md which error codes openapi.json does not list', () => {
    const described = new Set(matches(read('openapi.json'), /"([A-Z_]+)"/g));
    const others = Object.keys(PROBLEMS).filter((code) => !described.has(code));
    const sentence = /^(.*) belong to no single call/m.exec(read('docs/problems.md'))?.[1] ?? '';
    expect(matches(sentence, /`([A-Z_]+)`/g)).toEqual(others);
  });

  it.each(PAGES)('has no broken link in %s', (page) => {
    expect(brokenLinks(page)).toEqual([]);
  });

  it.each(PAGES)('names no path of a particular machine in %s', (page) => {
    expect(read(page)).not.toMatch(/(^|[\s`"'(=])\/(work|tmp|root|home|Users|srv|var)\b/m);
  });
});
