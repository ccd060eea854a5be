import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readArguments } from '../../bench/arguments.js';
import { createCases } from '../../bench/cases/index.js';
import { Histogram } from '../../bench/measurement/histogram.js';
import { mergeOutcomes } from '../../bench/measurement/interleave.js';
import type { Job } from '../../bench/load/job.js';
import { runJob } from '../../bench/load/run-job.js';
import { renderComparison } from '../../bench/report/compare-runs.js';
import { DOCS, renderDocs, readStoredResults } from '../../bench/report/docs.js';
import { renderReport } from '../../bench/report/render-report.js';
import { renderPlots } from '../../bench/report/plots.js';
import type { Result, Row } from '../../bench/result.js';
import { SIZES } from '../../bench/sizes.js';
import { areDisjoint, medianOf, spreadOf } from '../../bench/measurement/statistics.js';
import { evaluateTargets, TARGETS } from '../../bench/report/targets.js';

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

describe('statistics', () => {
  it('computes the median, minimum and maximum', () => {
    expect(medianOf([3, 1, 2])).toBe(2);
    expect(medianOf([4, 1, 2, 3])).toBe(2.5);
    expect(spreadOf([5, 9, 7])).toEqual({ median: 7, min: 5, max: 9 });
    expect(() => medianOf([])).toThrow('no values');
  });

  it('treats ranges that share a value as overlapping', () => {
    expect(areDisjoint(spreadOf([1, 2, 3]), spreadOf([4, 5, 6]))).toBe(true);
    expect(areDisjoint(spreadOf([1, 2, 4]), spreadOf([4, 5, 6]))).toBe(false);
  });

  it('merges the outcomes of several slices into the outcome of one measurement', () => {
    const [first, second, all] = [new Histogram(), new Histogram(), new Histogram()];
    for (let ms = 1; ms <= 1000; ms += 1) {
      (ms % 3 === 0 ? first : second).add(ms);
      all.add(ms);
    }
    const outcome = {
      completed: 10,
      seconds: 2,
      statuses: { 200: 10 },
      bodyBytes: 100,
      wireBytes: 200,
      loadShare: 0.5,
      latency: first.counts,
      captured: [],
    };
    const other = { ...outcome, completed: 30, statuses: { 200: 20, 409: 10 }, bodyBytes: 200, loadShare: 1 };
    const both = mergeOutcomes([outcome, { ...other, latency: second.counts }]);
    expect(both).toMatchObject({
      completed: 40,
      seconds: 4,
      statuses: { 200: 30, 409: 10 },
      loadShare: 0.75,
    });
    expect(both.bodyBytes).toBeCloseTo(175);
    expect(new Histogram(both.latency).percentiles()).toEqual(all.percentiles());
  });

  it('computes percentiles with an error below 1 %, for short and long durations', () => {
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

describe('load generator', () => {
  /** Returns 201 to the first request for each path and 409 to later ones. `/broken` always returns 500. */
  async function startServer(): Promise<number> {
    const requested = new Set<string>();
    const server = createServer((request, response) => {
      const path = request.url ?? '';
      const status = path === '/broken' ? 500 : requested.has(path) ? 409 : 201;
      requested.add(path);
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
  const jobFor = (port: number, scenarios: string[][], more: Partial<Job> = {}): Job => ({
    port,
    scenarios,
    connections: 4,
    seconds: 5,
    once: true,
    expectedStatuses: [201, 409],
    ...more,
  });

  it('runs every scenario once and counts responses by status', async () => {
    const port = await startServer();
    const scenarios = Array.from({ length: 50 }, (_, index) => [get(`/seat-${index % 10}`)]);
    const outcome = await runJob(jobFor(port, scenarios));
    expect(outcome).toMatchObject({ completed: 50, statuses: { 201: 10, 409: 40 } });
    expect(outcome.error).toBeUndefined();
    expect(new Histogram(outcome.latency).total).toBe(50);
  });

  it('fails on an unexpected status', async () => {
    const outcome = await runJob(jobFor(await startServer(), [[get('/a')], [get('/broken')]]));
    expect(outcome.error).toContain('unexpected status 500');
  });

  it('fails when no server is listening', async () => {
    const outcome = await runJob(jobFor(1, [[get('/a')]]));
    expect(outcome).toMatchObject({ completed: 0, error: expect.stringContaining('ECONNREFUSED') });
  });

  it('fills values captured from a response into later requests of the scenario', async () => {
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
    expect(outcome).toMatchObject({ completed: 1, statuses: { 201: 2 } });
  });

  it('ends on time and does not exceed the arrival rate', async () => {
    const port = await startServer();
    const job = jobFor(port, [[get('/a')]], { once: false, seconds: 0.3, arrivalsPerSecond: 200 });
    // A busy machine can make the generator too slow, so that bound is retried. It must never be too fast.
    await expect
      .poll(async () => {
        const { completed } = await runJob(job);
        expect(completed).toBeLessThanOrEqual(60);
        return completed;
      })
      .toBeGreaterThan(20);
  });
});

describe('report', () => {
  it('compares medians with the targets and shows the verdict in the table', () => {
    const met = resultOf(row('hold', { ofFastify: 0.7 }, { ofFastify: 0.1 }, { ofFastify: 0.65 }));
    const missed = resultOf(row('hold', { ofFastify: 0.59 }));
    const verdictOf = (result: Result) =>
      evaluateTargets(result).find(({ target }) => target.rowId === 'hold')?.isMet;
    expect([verdictOf(met), verdictOf(missed), verdictOf(resultOf())]).toEqual([true, false, undefined]);
    expect(renderReport(met, [])).toContain('| hold | ≥ 0.60 of Fastify | 0.65 (0.10 – 0.70) | met |');
    expect(renderReport(missed, [])).toMatch(/\| hold \| .* \| \*\*missed\*\* \|/);
    expect(renderReport({ ...missed, size: 'quick' }, [])).not.toContain('**missed**');
  });

  it('shows rates, percentiles, statuses, and failed and skipped cases', () => {
    const poll = row('poll-small', { perSecond: 12_345.6, p50Ms: 1.234, p99Ms: 12.3, p999Ms: 123.4 });
    const failed = { ...row('pay'), faults: ['unexpected status 500'] };
    const skipped = { ...row('state'), absent: 'no such endpoint' };
    const page = renderReport(resultOf(poll, failed, skipped), ['rates.svg']);
    expect(page).toContain(
      '| 12,346/s (12,346/s – 12,346/s) |  | 1.23 ms | 12.3 ms | 123 ms | 200: 9, 409: 3 |',
    );
    expect(page).toContain('- the case pay: unexpected status 500');
    expect(page).toContain('| the case state | no such endpoint |');
    expect(page).toContain('![rates.svg](rates.svg)');
  });

  it('renders well-formed SVG plots', () => {
    const plots = renderPlots(resultOf(row('hold', { perSecond: 10, ofFastify: 0.5 })));
    expect([...plots.keys()]).toEqual(['rates.svg', 'ratios.svg', 'poll-cost.svg']);
    for (const svg of plots.values()) {
      expect(svg).toMatch(/^<svg [^]*<\/svg>\n$/);
      expect(svg).not.toMatch(/NaN|Infinity|<of>/);
    }
  });

  it('calls a change between two runs better or worse only if their rounds do not overlap', () => {
    const before = resultOf(
      row('a', { perSecond: 100 }, { perSecond: 110 }),
      row('b', { p99Ms: 5 }, { p99Ms: 7 }),
    );
    const after = resultOf(
      row('a', { perSecond: 200 }, { perSecond: 220 }),
      row('b', { p99Ms: 6 }, { p99Ms: 8 }),
    );
    expect(renderComparison(before, after)).toContain(
      '| the case a | perSecond | 105/s | 210/s | +100.0 % | better |',
    );
    expect(renderComparison(after, before)).toContain('| −50.0 % | **worse** |');
    expect(renderComparison(before, after)).toContain('| the case b | p99Ms | 6 ms | 7 ms | +16.7 % |  |');
  });

  it('has a row for every target, and unique row ids', () => {
    const ids = createCases(SIZES.full).flatMap(({ rows }) => rows.map(({ id }) => id));
    expect(ids).toEqual(expect.arrayContaining(TARGETS.map((target) => target.rowId)));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('matches docs/performance.md, which shows the stored results', async () => {
    const page = readFileSync(DOCS, 'utf8');
    expect(page).toBe(await renderDocs(page, readStoredResults()));
  });
});

describe('arguments', () => {
  it('applies defaults and rejects invalid options', () => {
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
