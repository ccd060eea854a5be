import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createMetrics, observeEventLoop, observeProcess } from '../../src/platform/metrics/index.js';

const valueOf = (text: string, sample: string): number => {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${sample} `));
  return line === undefined ? NaN : Number(line.slice(sample.length + 1));
};

describe('a counter', () => {
  it('starts at 0 and adds up', () => {
    const metrics = createMetrics();
    const holds = metrics.counter('holds_total', 'Holds placed.');
    expect(metrics.render()).toBe(
      '# HELP holds_total Holds placed.\n# TYPE holds_total counter\nholds_total 0\n',
    );
    holds.inc();
    holds.inc(2.5);
    expect(metrics.render()).toContain('\nholds_total 3.5\n');
  });

  it('shares HELP and TYPE with the counters of its name', () => {
    const metrics = createMetrics();
    metrics.counter('answers_total', 'Answers.', { status: '200' }).inc(3);
    metrics.counter('other_total', 'Something else.').inc();
    metrics.counter('answers_total', 'Answers.', { status: '404' }).inc();
    expect(metrics.render()).toBe(
      [
        '# HELP answers_total Answers.',
        '# TYPE answers_total counter',
        'answers_total{status="200"} 3',
        'answers_total{status="404"} 1',
        '# HELP other_total Something else.',
        '# TYPE other_total counter',
        'other_total 1',
        '',
      ].join('\n'),
    );
  });

  it('is created once per name and labels, in any order of the labels', () => {
    const metrics = createMetrics();
    const first = metrics.counter('a_total', 'A.', { x: '1', y: '2' });
    expect(metrics.counter('a_total', 'A.', { y: '2', x: '1' })).toBe(first);
    expect(metrics.counter('a_total', 'A.', { x: '1', y: '3' })).not.toBe(first);
  });

  it('escapes line breaks, quotes and backslashes', () => {
    const metrics = createMetrics();
    metrics.counter('odd_total', 'A \\ and\na "quote".', { path: 'C:\\x\n"y"' });
    expect(metrics.render()).toBe(
      '# HELP odd_total A \\\\ and\\na "quote".\n# TYPE odd_total counter\nodd_total{path="C:\\\\x\\n\\"y\\""} 0\n',
    );
  });

  it('refuses names that are invalid in Prometheus', () => {
    const metrics = createMetrics();
    expect(() => metrics.counter('bad-name', 'Bad.')).toThrow('bad-name');
    expect(() => metrics.counter('good_total', 'Good.', { 'bad-label': '' })).toThrow('bad-label');
  });

  it('cannot share its name with a metric of another type', () => {
    const metrics = createMetrics();
    metrics.counter('thing', 'A thing.');
    expect(() => {
      metrics.gauge('thing', 'A thing.', { a: 'b' }, () => 1);
    }).toThrow('thing is already a counter');
  });
});

describe('a gauge', () => {
  it('is read at each scrape', () => {
    const metrics = createMetrics();
    let streams = 7;
    metrics.gauge('streams', 'Open streams.', { kind: 'queue' }, () => streams);
    expect(metrics.render()).toContain('# TYPE streams gauge\nstreams{kind="queue"} 7\n');
    streams = -1;
    expect(metrics.render()).toContain('streams{kind="queue"} -1\n');
  });

  it('renders infinite values and NaN as the format requires', () => {
    const metrics = createMetrics();
    metrics.gauge('up', 'Up.', undefined, () => Infinity);
    metrics.gauge('down', 'Down.', undefined, () => -Infinity);
    metrics.gauge('none', 'None.', undefined, () => NaN);
    const text = metrics.render();
    expect(text).toContain('\nup +Inf\n');
    expect(text).toContain('\ndown -Inf\n');
    expect(text).toContain('\nnone NaN\n');
  });

  it('has only one read function', () => {
    const metrics = createMetrics();
    metrics.gauge('one', 'One.', undefined, () => 1);
    expect(() => {
      metrics.gauge('one', 'One.', {}, () => 2);
    }).toThrow('already has a read function');
  });
});

describe('a histogram', () => {
  it('counts each value in every bucket whose upper bound is not below it', () => {
    const metrics = createMetrics();
    const seconds = metrics.histogram('wait_seconds', 'Waiting.', [0.25, 1], { queue: 'a' });
    for (const value of [0.125, 0.25, 0.5, 8]) seconds.observe(value);
    expect(metrics.render()).toBe(
      [
        '# HELP wait_seconds Waiting.',
        '# TYPE wait_seconds histogram',
        'wait_seconds_bucket{queue="a",le="0.25"} 2',
        'wait_seconds_bucket{queue="a",le="1"} 3',
        'wait_seconds_bucket{queue="a",le="+Inf"} 4',
        'wait_seconds_sum{queue="a"} 8.875',
        'wait_seconds_count{queue="a"} 4',
        '',
      ].join('\n'),
    );
  });

  it('is created once for the same buckets', () => {
    const metrics = createMetrics();
    const first = metrics.histogram('h', 'H.', [1, 2]);
    expect(metrics.histogram('h', 'H.', [1, 2])).toBe(first);
    expect(() => metrics.histogram('h', 'H.', [1, 3])).toThrow('other buckets');
  });

  it('needs ascending, finite buckets and refuses the label le', () => {
    const metrics = createMetrics();
    expect(() => metrics.histogram('h', 'H.', [2, 1])).toThrow('ascending');
    expect(() => metrics.histogram('h', 'H.', [1, 1])).toThrow('ascending');
    expect(() => metrics.histogram('h', 'H.', [1, Infinity])).toThrow('finite');
    expect(() => metrics.histogram('h', 'H.', [1], { le: '1' })).toThrow('le');
  });
});

describe('the event loop', () => {
  const fakeMonitor = (tickMs: { p50: number; p99: number; max: number }) => {
    const ns = (ms: number) => ms * 1e6;
    let now = tickMs;
    return {
      enabled: false,
      percentile: (percent: number) => ns(percent === 50 ? now.p50 : now.p99),
      get max() {
        return ns(now.max);
      },
      reset() {
        now = { p50: 0, p99: 0, max: 0 };
      },
      enable() {
        return (this.enabled = true);
      },
      disable() {
        return !(this.enabled = false);
      },
    };
  };

  it('reports its delay in seconds without the timer resolution, and resets at each scrape', () => {
    const metrics = createMetrics();
    observeEventLoop(metrics, fakeMonitor({ p50: 10, p99: 35, max: 260 }));
    const first = metrics.render();
    expect(valueOf(first, 'nodejs_eventloop_lag_p50_seconds')).toBe(0);
    expect(valueOf(first, 'nodejs_eventloop_lag_p99_seconds')).toBeCloseTo(0.025);
    expect(valueOf(first, 'nodejs_eventloop_lag_max_seconds')).toBeCloseTo(0.25);
    const second = metrics.render();
    expect(valueOf(second, 'nodejs_eventloop_lag_p99_seconds')).toBe(0);
    expect(valueOf(second, 'nodejs_eventloop_lag_max_seconds')).toBe(0);
  });

  it('is measured until stopped', () => {
    const monitor = fakeMonitor({ p50: 10, p99: 10, max: 10 });
    const observer = observeEventLoop(createMetrics(), monitor);
    expect(monitor.enabled).toBe(true);
    observer.stop();
    expect(monitor.enabled).toBe(false);
  });

  it('reports a real stall', async () => {
    const metrics = createMetrics();
    const observer = observeEventLoop(metrics);
    await wait(50);
    const untilMs = performance.now() + 120;
    while (performance.now() < untilMs);
    await wait(50);
    const text = metrics.render();
    observer.stop();
    expect(valueOf(text, 'nodejs_eventloop_lag_max_seconds')).toBeGreaterThan(0.09);
  });
});

describe('the process', () => {
  it('reports its memory, CPU time and start time', () => {
    const metrics = createMetrics();
    observeProcess(metrics);
    const text = metrics.render();
    expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(10e6);
    expect(valueOf(text, 'nodejs_heap_size_used_bytes')).toBeGreaterThan(1e6);
    expect(valueOf(text, 'process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(text).toContain('# TYPE process_cpu_seconds_total counter\n');
    const nowSeconds = Date.now() / 1000;
    expect(valueOf(text, 'process_start_time_seconds')).toBeLessThanOrEqual(nowSeconds);
    expect(valueOf(text, 'process_start_time_seconds')).toBeGreaterThan(nowSeconds - 3600);
  });

  it('is measured again at each scrape', () => {
    const metrics = createMetrics();
    observeProcess(metrics);
    const before = valueOf(metrics.render(), 'process_cpu_seconds_total');
    const untilMs = performance.now() + 30;
    while (performance.now() < untilMs);
    expect(valueOf(metrics.render(), 'process_cpu_seconds_total')).toBeGreaterThan(before);
  });
});

it('declares the Prometheus text format, version 0.0.4', () => {
  expect(createMetrics().contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
});
