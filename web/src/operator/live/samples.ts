import type { History, Stats } from '../operator-api.js';

/** The sale at one time; `joined` and `admitted` are sums over the minute before it. */
export interface Sample {
  readonly atMs: number;
  readonly waiting: number;
  readonly active: number;
  readonly joined: number;
  readonly admitted: number;
  readonly held: number;
  readonly sold: number;
  readonly revenue: number;
}

const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;

/** Turns the server's history into samples: sums `joined` and `admitted` over a sliding minute. */
export function toSamples({ items }: History): Sample[] {
  const times = items.map(({ at }) => Date.parse(at));
  let from = 0;
  let joined = 0;
  let admitted = 0;
  return items.map((item, index) => {
    const atMs = times[index] ?? 0;
    joined += item.joined;
    admitted += item.admitted;
    for (; (times[from] ?? atMs) <= atMs - MINUTE_MS; from += 1) {
      joined -= items[from]?.joined ?? 0;
      admitted -= items[from]?.admitted ?? 0;
    }
    const { waiting, active, seatsHeld: held, seatsSold: sold, revenue } = item;
    return { atMs, waiting, active, joined, admitted, held, sold, revenue };
  });
}

export const toSample = (stats: Stats, atMs: number): Sample => ({
  atMs,
  waiting: stats.waiting,
  active: stats.active,
  joined: stats.joinedLastMinute,
  admitted: stats.admittedLastMinute,
  held: stats.seatsHeld,
  sold: stats.seatsSold,
  revenue: stats.revenue,
});

/** The stored history followed by newer samples of this page, limited to the last hour. */
export function mergeSamples(stored: readonly Sample[], polled: readonly Sample[], nowMs: number): Sample[] {
  const lastMs = stored.at(-1)?.atMs ?? 0;
  return [...stored, ...polled.filter(({ atMs }) => atMs > lastMs)].filter(
    ({ atMs }) => atMs >= nowMs - HOUR_MS,
  );
}

/** The last sample of each minute, newest first. */
export function lastOfEachMinute(samples: readonly Sample[]): Sample[] {
  const minutes = new Map(samples.map((sample) => [Math.floor(sample.atMs / MINUTE_MS), sample]));
  return [...minutes.values()].reverse();
}
