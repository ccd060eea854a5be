import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { Absent, type Bench, type CaseGroup, onCopy } from '../bench.js';
import { type Helper, startHelper } from '../children.js';
import { firstPlaces } from '../look-up.js';
import { Histogram } from '../histogram.js';
import { signIn } from '../operator.js';
import { parse } from '../../test/support/machine/parse.js';
import { get } from '../requests.js';
import { serving } from '../servers.js';
import { queueToken } from '../tokens.js';

const STREAMS_PER_PROCESS = 5000;
/** Files that a process has open besides. */
const OTHER_FILES = 500;
const WARM_UP = 50;
const LOOK_EVERY_MS = 100;
const EVENTS_MAX_MS = 60_000;
const HEARD = Type.Object({
  opened: Type.Integer(),
  positions: Type.Integer(),
  lost: Type.Integer(),
  delaysMs: Type.Array(Type.Number()),
});

function requireFiles(streams: number): void {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  const most = Number(/^Max open files\s+\S+\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
  if (most < streams + OTHER_FILES) {
    throw new Absent(
      `not enough open files: ${most} are allowed, ${streams + OTHER_FILES} needed (ulimit -Hn)`,
    );
  }
}

/** Some processes with all the streams between them. */
async function openStreams(port: number, requests: readonly string[]) {
  const helpers: Helper[] = [];
  const hear = async (helper: Helper, message: object) => parse(HEARD, await helper.ask(message), 'a report');
  for (let at = 0; at < requests.length; at += STREAMS_PER_PROCESS) {
    const helper = startHelper(new URL('../load/streams.js', import.meta.url));
    helpers.push(helper);
    await hear(helper, { port, open: requests.slice(at, at + STREAMS_PER_PROCESS) });
  }
  return {
    async heard() {
      const all = await Promise.all(helpers.map((helper) => hear(helper, { report: true })));
      const sum = (pick: (one: (typeof all)[number]) => number): number =>
        all.reduce((total, one) => total + pick(one), 0);
      const delaysMs = all.flatMap((one) => one.delaysMs);
      return { positions: sum((one) => one.positions), lost: sum((one) => one.lost), delaysMs };
    },
    async close() {
      for (const helper of helpers) await helper.stop();
    },
  };
}

/** Everybody listens; some are let in, and all the others hear their new position. */
export const streamsCase = (streams: number): CaseGroup => ({
  name: 'streams',
  rows: [{ id: 'streams', title: `${streams.toLocaleString('en')} open event streams` }],
  async run(bench: Bench, fill) {
    requireFiles(streams);
    const { streamsAdmitted, lines } = bench.sizes;
    const listeners = streams + WARM_UP;
    const prepared = await bench.datasets.line(Math.max(lines[1], listeners));
    const { data, concertId } = prepared;
    const tokens = (await firstPlaces(prepared, listeners)).map((place) => queueToken(concertId, place));
    const requests = tokens.map((token) => get('/queue-tokens/me/events', token));
    await onCopy(bench, data, (copy) =>
      serving(
        copy,
        async (server) => {
          const operator = await signIn(server);
          // Those behind them open a stream first and leave it, so that what a first stream needs is there.
          const early = await openStreams(server.port, requests.slice(streams));
          await early.close();
          const beforeBytes = await server.residentBytes();
          const open = await openStreams(server.port, requests.slice(0, streams));
          try {
            const bytesEach = ((await server.residentBytes()) - beforeBytes) / streams;
            await operator.changePolicy(concertId, { maxActive: streamsAdmitted });
            const heard = await untilHeard(open.heard, streamsAdmitted, streams - streamsAdmitted);
            const delays = new Histogram();
            for (const delayMs of heard.delaysMs) delays.add(delayMs);
            const { p50Ms, p99Ms, p999Ms } = delays.percentiles();
            fill('streams', { figures: { bytesEach, p50Ms, p99Ms, p999Ms } });
          } finally {
            await open.close();
          }
        },
        { memory: true },
      ),
    );
  },
});

async function untilHeard<Heard extends { delaysMs: number[]; positions: number; lost: number }>(
  ask: () => Promise<Heard>,
  admitted: number,
  positions: number,
): Promise<Heard> {
  const giveUpAtMs = performance.now() + EVENTS_MAX_MS;
  for (;;) {
    const heard = await ask();
    if (heard.lost > 0) throw new Error(`${heard.lost} streams were lost`);
    if (heard.delaysMs.length === admitted && heard.positions >= positions) return heard;
    if (performance.now() > giveUpAtMs) {
      throw new Error(`only ${heard.delaysMs.length} were told of ${admitted}, ${heard.positions} positions`);
    }
    await sleep(LOOK_EVERY_MS);
  }
}
