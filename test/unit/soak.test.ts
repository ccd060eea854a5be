import { describe, expect, it } from 'vitest';
import type { Sample } from '../../prove/soak/sample.js';
import { formatSoak, judgeSoak, type Line } from '../../prove/soak/verdict.js';

const MEGABYTE = 2 ** 20;
const EVERY_MS = 60_000;

/** A soak of half an hour in which nothing grows, except what `change` says. */
const samplesWith = (change: (index: number) => Partial<Sample> = () => ({})): Sample[] =>
  Array.from({ length: 30 }, (_, index) => ({
    atMs: index * EVERY_MS,
    residentBytes: 150 * MEGABYTE,
    heapBytes: (40 + 30 * (index % 3)) * MEGABYTE,
    rows: { 'live places': 60, changes: 5000, places: 100 * index },
    ...change(index),
  }));

const grown = (lines: readonly Line[]): string[] => lines.filter(({ isOk }) => !isOk).map(({ name }) => name);

describe('the verdict of a soak', () => {
  it('accepts flat memory, level tables and kept rows that are added at a steady rate', () => {
    const lines = judgeSoak(samplesWith());
    expect(grown(lines)).toEqual([]);
    expect(lines.find(({ name }) => name === 'changes')?.rule).toBe('level');
    expect(lines.find(({ name }) => name === 'places')?.rule).toBe('steady growth');
    expect(formatSoak(lines)).not.toContain('GREW');
  });

  it('ignores what happens during the warm-up', () => {
    expect(grown(judgeSoak(samplesWith((index) => (index < 5 ? { residentBytes: 1 } : {}))))).toEqual([]);
  });

  it.each([
    ['resident memory', (index: number) => ({ residentBytes: (100 + 10 * index) * MEGABYTE })],
    ['heap', (index: number) => ({ heapBytes: (40 + 5 * index + 30 * (index % 3)) * MEGABYTE })],
    ['live places', (index: number) => ({ rows: { 'live places': 60 + 40 * index } })],
    ['changes', (index: number) => ({ rows: { changes: 1000 * index } })],
    ['places', (index: number) => ({ rows: { places: 10 * index ** 3 } })],
  ])('reports that %s grows', (name, change) => {
    const lines = judgeSoak(samplesWith(change));
    expect(grown(lines)).toEqual([name]);
    expect(formatSoak(lines)).toContain('GREW');
  });

  it('does not judge a soak with too few samples', () => {
    expect(() => judgeSoak(samplesWith().slice(0, 5))).toThrow('at least 9 samples');
  });
});
