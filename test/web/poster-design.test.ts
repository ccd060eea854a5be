import { describe, expect, it } from 'vitest';
import { designOf } from '../../web/src/concerts/poster/poster-design.js';

const TITLES = Array.from({ length: 3000 }, (_, index) => `Night ${index} · ${index}번째 밤`);
const DEMO_TITLES = [
  'Winter Arena 2026 · 겨울 아레나',
  'Club Night · 클럽 나이트',
  'Opening Soon · 곧 예매 시작',
];

/** What tells two posters apart at a glance. */
const lookOf = (title: string): string => {
  const { motif, palette, random } = designOf(title);
  return JSON.stringify([motif, palette, Math.floor(random() * 10)]);
};

describe('a drawn poster', () => {
  it('is always the same for a concert', () => {
    for (const title of TITLES.slice(0, 20)) expect(lookOf(title)).toBe(lookOf(title));
  });

  it('hardly ever looks the same three times in a row, or twice', () => {
    const triples = TITLES.slice(2).map((title, index) => [
      TITLES[index] ?? '',
      TITLES[index + 1] ?? '',
      title,
    ]);
    const alike = triples.filter(
      (titles) => new Set(titles.map((title) => designOf(title).motif)).size === 1,
    );
    expect(alike.length / triples.length).toBeLessThan(0.04);
    const same = triples.filter((titles) => new Set(titles.map(lookOf)).size < 3);
    expect(same.length / triples.length).toBeLessThan(0.02);
  });

  it('uses every motif', () => {
    expect(new Set(TITLES.map((title) => designOf(title).motif)).size).toBe(8);
  });

  it('has another motif and palette for each concert of the demo', () => {
    expect(new Set(DEMO_TITLES.map((title) => designOf(title).motif)).size).toBe(3);
    expect(new Set(DEMO_TITLES.map((title) => designOf(title).palette)).size).toBe(3);
  });
});
