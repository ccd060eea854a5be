import type { Metrics } from './registry.js';

const MICROSECONDS = 1e6;

/** Memory, CPU time and start time of this process. */
export function observeProcess(metrics: Metrics): void {
  let memory = process.memoryUsage();
  metrics.onScrape(() => {
    memory = process.memoryUsage();
  });
  metrics.gauge('process_resident_memory_bytes', 'Resident memory in bytes.', undefined, () => memory.rss);
  metrics.gauge(
    'nodejs_heap_size_used_bytes',
    'JavaScript heap in use in bytes.',
    undefined,
    () => memory.heapUsed,
  );
  metrics.counterOf(
    'process_cpu_seconds_total',
    'User and system CPU time spent in seconds.',
    undefined,
    () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / MICROSECONDS;
    },
  );
  metrics.gauge(
    'process_start_time_seconds',
    'When the process started, in seconds since the epoch.',
    undefined,
    () => performance.timeOrigin / 1000,
  );
}
