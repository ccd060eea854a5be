import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readArguments } from '../../bench/arguments.js';
import { casesOf } from '../../bench/cases/index.js';
import { Histogram } from '../../bench/histogram.js';
import { together } from '../../bench/in-turns.js';
import type { Job } from '../../bench/load/job.js';
import { runJob } from '../../bench/load/run-job.js';
import { comparison } from '../../bench/report/comparison.js';
import { DOCS, docsWith, storedResults } from '../../bench/report/docs.js';
import { markdownOf } from '../../bench/report/markdown.js';
import { plotsOf } from '../../bench/report/plots.js';
import type { Result, Row } from '../../bench/result.js';
import { SIZES } from '../../bench/sizes.js';
import { areApart, medianOf, spreadOf } from '../../bench/stats.js';
import { judge, TARGETS } from '../../bench/targets.js';

const row = (id: string, ...rounds: Record<string, number>[]): Row => ({
  id,
  title: `the case ${id}`,
  rounds: rounds.map((figures) => ({ figures, statuses: { 200: 9, 409: 3 } })),
  faults: [],
});

const resultOf = (...rows: Row[]): Result => ({
  format: 1,
  mode: 'embedded',
  size: 'full',
  rounds: 3,
  startedAt: '2026-11-15T09:00:00.000Z',
  tookSeconds: 60,
  machine: { CPU: '2 × Some CPU' },
  rows,
  series: [
    {
      id: 'poll-cost',
      title: 'Cost <of> a poll',
      xTitle: 'waiting',
      yTitle: 'µs',
      points: [
        { x: 0, y: 40 },
        { x: 1_000_000, y: 41 },
        { x: 1_000_000, y: 43 },
      ],
    },
  ],
});

describe('the statistics', () => {
  it('find the middle and both ends', () => {
    expect(medianOf([3, 1, 2])).toBe(2);
    expect(medianOf([4, 1, 2, 3])).toBe(2.5);
    expect(spreadOf([5, 9, 7])).toEqual({ median: 7, min: 5, max: 9 });
    expect(() => medianOf([])).toThrow('nothing');
  });

  it('tell two measurements apart only when no rounds meet', () => {
    expect(areApart(spreadOf([1, 2, 3]), spreadOf([4, 5, 6]))).toBe(true);
    expect(areApart(spreadOf([1, 2, 4]), spreadOf([4, 5, 6]))).toBe(false);
  });

  it('of several measurements together are those of one', () => {
    const [first, second, all] = [new Histogram(), new Histogram(), new Histogram()];
    for (let ms = 1; ms <= 1000; ms += 1) {
      (ms % 3 === 0 ? first : second).add(ms);
      all.add(ms);
    }
    const outcome = {
      visits: 10,
      seconds: 2,
      statuses: { 200: 10 },
      bodyBytes: 100,
      wireBytes: 200,
      loadShare: 0.5,
      latency: first.counts,
      captured: [],
    };
    const other = { ...outcome, visits: 30, statuses: { 200: 20, 409: 10 }, bodyBytes: 200, loadShare: 1 };
    const both = together([outcome, { ...other, latency: second.counts }]);
    expect(both).toMatchObject({ visits: 40, seconds: 4, statuses: { 200: 30, 409: 10 }, loadShare: 0.75 });
    expect(both.bodyBytes).toBeCloseTo(175);
    expect(new Histogram(both.latency).percentiles()).toEqual(all.percentiles());
  });

  it('know percentiles to one in a hundred, whatever the size', () => {
    for (const scaleMs of [0.01, 1, 50, 20_000]) {
      const histogram = new Histogram();
      for (let count = 1; count <= 1000; count += 1) histogram.add((count / 1000) * scaleMs);
      for (const share of [0.5, 0.99, 0.999]) {
        const error = Math.abs(histogram.quantileMs(share) / (share * scaleMs) - 1);
        expect(error, `${share} of ${scaleMs} ms`).toBeLessThan(scaleMs < 0.1 ? 0.25 : 0.01);
      }
      expect(new Histogram(histogram.counts).percentiles()).toEqual(histogram.percentiles());
    }
    expect(new Histogram().percentiles()).toEqual({ p50Ms: 0, p99Ms: 0, p999Ms: 0 });
  });
});

describe('the load generator', () => {
  /** Answers 201 to the first to come to each path and 409 to the others, unless it was told to fail. */
  async function startServer(): Promise<number> {
    const taken = new Set<string>();
    const server = createServer((request, response) => {
      const path = request.url ?? '';
      const status = path === '/broken' ? 500 : taken.has(path) ? 409 : 201;
      taken.add(path);
      const body = JSON.stringify({ id: `id-of-${path.slice(1)}`, token: request.headers.authorization });
      response.writeHead(status, { 'content-length': body.length }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return (server.address() as AddressInfo).port;
  }
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
  const jobFor = (port: number, visits: string[][], more: Partial<Job> = {}): Job => ({
    port,
    visits,
    connections: 4,
    seconds: 5,
    once: true,
    expect: [201, 409],
    ...more,
  });

  it('makes every visit once, and counts refusals that belong to the case apart', async () => {
    const port = await startServer();
    const visits = Array.from({ length: 50 }, (_, index) => [get(`/seat-${index % 10}`)]);
    const outcome = await runJob(jobFor(port, visits));
    expect(outcome).toMatchObject({ visits: 50, statuses: { 201: 10, 409: 40 } });
    expect(outcome.fault).toBeUndefined();
    expect(new Histogram(outcome.latency).total).toBe(50);
  });

  it('fails on any other answer', async () => {
    const outcome = await runJob(jobFor(await startServer(), [[get('/a')], [get('/broken')]]));
    expect(outcome.fault).toContain('answered 500');
  });

  it('fails when there is no server', async () => {
    const outcome = await runJob(jobFor(1, [[get('/a')]]));
    expect(outcome).toMatchObject({ visits: 0, fault: expect.stringContaining('ECONNREFUSED') });
  });

  it('takes what later requests need from earlier answers', async () => {
    const port = await startServer();
    const outcome = await runJob(
      jobFor(port, [[get('/a'), get('/{{found}}')]], {
        captures: [
          { step: 0, name: 'found', pattern: '"id":"([^"]+)"' },
          { step: 1, name: 'last', pattern: '"id":"([^"]+)"' },
        ],
      }),
    );
    expect(outcome.captured.map(({ text }) => text)).toEqual(['id-of-a', 'id-of-id-of-a']);
    expect(outcome).toMatchObject({ visits: 1, statuses: { 201: 2 } });
  });

  it('ends in time, and keeps the pace that it was given', async () => {
    const port = await startServer();
    const job = jobFor(port, [[get('/a')]], { once: false, seconds: 0.3, pace: 200 });
    // A machine that stands still for a moment may keep it from being fast enough, and never makes it too fast.
    await expect
      .poll(async () => {
        const { visits } = await runJob(job);
        expect(visits).toBeLessThanOrEqual(60);
        return visits;
      })
      .toBeGreaterThan(20);
  });
});

describe('the report', () => {
  it('judges medians, and says so in the table', () => {
    const held = resultOf(row('hold', { ofFastify: 0.7 }, { ofFastify: 0.1 }, { ofFastify: 0.65 }));
    const missed = resultOf(row('hold', { ofFastify: 0.59 }));
    const verdictOf = (result: Result) => judge(result).find(({ target }) => target.row === 'hold')?.holds;
    expect([verdictOf(held), verdictOf(missed), verdictOf(resultOf())]).toEqual([true, false, undefined]);
    expect(markdownOf(held, [])).toContain('| hold | ≥ 0.60 of Fastify | 0.65 (0.10 – 0.70) | holds |');
    expect(markdownOf(missed, [])).toMatch(/\| hold \| .* \| \*\*missed\*\* \|/);
    expect(markdownOf({ ...missed, size: 'quick' }, [])).not.toContain('**missed**');
  });

  it('shows rates, percentiles, refusals, and what failed or is not there', () => {
    const poll = row('poll-small', { perSecond: 12_345.6, p50Ms: 1.234, p99Ms: 12.3, p999Ms: 123.4 });
    const broken = { ...row('pay'), faults: ['answered 500'] };
    const absent = { ...row('state'), absent: 'not there' };
    const page = markdownOf(resultOf(poll, broken, absent), ['rates.svg']);
    expect(page).toContain(
      '| 12,346/s (12,346/s – 12,346/s) |  | 1.23 ms | 12.3 ms | 123 ms | 200: 9, 409: 3 |',
    );
    expect(page).toContain('- the case pay: answered 500');
    expect(page).toContain('| the case state | not there |');
    expect(page).toContain('![rates.svg](rates.svg)');
  });

  it('draws plots that are well-formed', () => {
    const plots = plotsOf(resultOf(row('hold', { perSecond: 10, ofFastify: 0.5 })));
    expect([...plots.keys()]).toEqual(['rates.svg', 'ratios.svg', 'poll-cost.svg']);
    for (const svg of plots.values()) {
      expect(svg).toMatch(/^<svg [^]*<\/svg>\n$/);
      expect(svg).not.toMatch(/NaN|Infinity|<of>/);
    }
  });

  it('compares two runs, and calls only what is apart better or worse', () => {
    const before = resultOf(
      row('a', { perSecond: 100 }, { perSecond: 110 }),
      row('b', { p99Ms: 5 }, { p99Ms: 7 }),
    );
    const after = resultOf(
      row('a', { perSecond: 200 }, { perSecond: 220 }),
      row('b', { p99Ms: 6 }, { p99Ms: 8 }),
    );
    expect(comparison(before, after)).toContain(
      '| the case a | perSecond | 105/s | 210/s | +100.0 % | better |',
    );
    expect(comparison(after, before)).toContain('| −50.0 % | **worse** |');
    expect(comparison(before, after)).toContain('| the case b | p99Ms | 6 ms | 7 ms | +16.7 % |  |');
  });

  it('has a row for every target', () => {
    const ids = casesOf(SIZES.full).flatMap(({ rows }) => rows.map(({ id }) => id));
    expect(ids).toEqual(expect.arrayContaining(TARGETS.map((target) => target.row)));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('and docs/performance.md agree: its figures are those of the stored results', async () => {
    const page = readFileSync(DOCS, 'utf8');
    expect(page).toBe(await docsWith(page, storedResults()));
  });
});

describe('the arguments', () => {
  it('have defaults, and refuse what is none', () => {
    expect(readArguments([])).toMatchObject({ mode: 'embedded', size: 'full', rounds: 3, only: [] });
    expect(readArguments(['--quick', '--only', 'poll,join'])).toMatchObject({
      size: 'quick',
      only: ['poll', 'join'],
    });
    expect(readArguments(['--help'])).toBeUndefined();
    const wrong = [
      ['--mode', 'both'],
      ['--rounds', '0'],
      ['--quick', '--smoke'],
      ['--database-url', 'x'],
    ];
    for (const args of wrong) expect(() => readArguments(args), args.join(' ')).toThrow(/--/);
  });
});
