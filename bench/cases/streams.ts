import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readFirstQueueTokens } from '../datasets/read-ids.js';
import { signInAsOperator } from '../foyer/operator-client.js';
import { get } from '../foyer/requests.js';
import { openStreams, type Streams, type StreamsReport } from '../load/streams.js';
import { Histogram } from '../measurement/histogram.js';
import { formatCount } from '../report/format-figure.js';
import { type BenchmarkCase, CaseSkipped, withServerOnCopy } from './case.js';

/** File descriptors that the server needs in addition to the streams. */
const OTHER_FILES = 500;
const WARM_UP_STREAMS = 50;
const REPORT_INTERVAL_MS = 100;
const EVENTS_MAX_MS = 60_000;

function requireOpenFiles(streams: number): void {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  const allowed = Number(/^Max open files\s+\S+\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
  const needed = streams + OTHER_FILES;
  if (allowed < needed)
    throw new CaseSkipped(`not enough open files: ${allowed} allowed, ${needed} needed (ulimit -Hn)`);
}

/** Opens many event streams, then admits some fans. All others must receive their new position. */
export const streamsCase = (streamCount: number): BenchmarkCase => ({
  name: 'streams',
  rows: [{ id: 'streams', title: `${formatCount(streamCount)} open event streams` }],
  async run(context, record) {
    requireOpenFiles(streamCount);
    const { streamsAdmitted, queueLengths } = context.sizes;
    const fanCount = streamCount + WARM_UP_STREAMS;
    const queue = await context.datasets.queue(Math.max(queueLengths[1], fanCount));
    const { database, concertId } = queue;
    const tokens = await readFirstQueueTokens(queue, fanCount);
    const requests = tokens.map((token) => get('/queue-tokens/me/events', token));
    await withServerOnCopy(
      context,
      database,
      async (server) => {
        const operator = await signInAsOperator(server);
        // The first streams allocate what all streams share, which must not count as memory per stream.
        const warmUpStreams = await openStreams(server.port, requests.slice(streamCount));
        await warmUpStreams.close();
        const beforeBytes = await server.residentBytes();
        const streams = await openStreams(server.port, requests.slice(0, streamCount));
        try {
          const bytesEach = ((await server.residentBytes()) - beforeBytes) / streamCount;
          await operator.changePolicy(concertId, { maxActive: streamsAdmitted });
          const { delaysMs } = await waitForEvents(streams, streamsAdmitted, streamCount - streamsAdmitted);
          const delays = new Histogram();
          for (const delayMs of delaysMs) delays.add(delayMs);
          record('streams', { figures: { bytesEach, ...delays.percentiles() } });
        } finally {
          await streams.close();
        }
      },
      { canMeasureMemory: true },
    );
  },
});

async function waitForEvents(streams: Streams, admitted: number, positions: number): Promise<StreamsReport> {
  const deadlineMs = performance.now() + EVENTS_MAX_MS;
  for (;;) {
    const report = await streams.report();
    if (report.lost > 0) throw new Error(`${report.lost} streams were closed by the server`);
    if (report.delaysMs.length === admitted && report.positions >= positions) return report;
    if (performance.now() > deadlineMs) {
      throw new Error(
        `events missing: ${report.delaysMs.length} of ${admitted} admissions, ${report.positions} of ${positions} positions`,
      );
    }
    await sleep(REPORT_INTERVAL_MS);
  }
}
