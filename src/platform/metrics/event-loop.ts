import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metrics } from './registry.js';

const RESOLUTION_MS = 10;
const NANOSECONDS = 1e9;

type DelayMonitor = Pick<IntervalHistogram, 'percentile' | 'max' | 'reset' | 'enable' | 'disable'>;

/** Node measures the time between two timer ticks, which includes the timer resolution itself. Subtract it. */
const delaySeconds = (tickNs: number): number => Math.max(0, tickNs / NANOSECONDS - RESOLUTION_MS / 1000);

/** Event loop delay since the last scrape, under the metric names that Node.js dashboards expect. */
export function observeEventLoop(
  metrics: Metrics,
  monitor: DelayMonitor = monitorEventLoopDelay({ resolution: RESOLUTION_MS }),
): { stop(): void } {
  let p50 = 0;
  let p99 = 0;
  let max = 0;

  metrics.onScrape(() => {
    p50 = delaySeconds(monitor.percentile(50));
    p99 = delaySeconds(monitor.percentile(99));
    max = delaySeconds(monitor.max);
    monitor.reset();
  });
  const since = 'since the last scrape, in seconds.';
  metrics.gauge('nodejs_eventloop_lag_p50_seconds', `Median event loop delay ${since}`, undefined, () => p50);
  metrics.gauge(
    'nodejs_eventloop_lag_p99_seconds',
    `99th percentile of event loop delay ${since}`,
    undefined,
    () => p99,
  );
  metrics.gauge(
    'nodejs_eventloop_lag_max_seconds',
    `Longest event loop delay ${since}`,
    undefined,
    () => max,
  );

  monitor.enable();
  return {
    stop() {
      monitor.disable();
    },
  };
}
