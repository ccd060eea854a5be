import { useState } from 'react';
import { serverNowMs } from '../../api/index.js';
import { operatorApi, type Stats } from '../operator-api.js';
import { mergeSamples, type Sample, toSample, toSamples } from './samples.js';
import { usePolling } from './use-polling.js';

const STATS_EVERY_MS = 2000;
/** The stored history replaces the polled samples, so that a reload shows the same. */
const HISTORY_EVERY_MS = 30_000;

interface LiveStats {
  readonly stats: Stats | undefined;
  readonly samples: readonly Sample[];
  readonly nowMs: number;
  readonly error: unknown;
  readonly refresh: () => void;
}

/** The current statistics of a sale, and samples of the last hour. */
export function useLiveStats(concertId: string): LiveStats {
  const [stored, setStored] = useState<readonly Sample[]>([]);
  const [polled, setPolled] = useState<readonly Sample[]>([]);
  const [nowMs, setNowMs] = useState(serverNowMs);
  const history = usePolling(
    `history ${concertId}`,
    HISTORY_EVERY_MS,
    (signal) => operatorApi.history(concertId, signal),
    (value) => {
      const samples = toSamples(value);
      const lastMs = samples.at(-1)?.atMs ?? 0;
      setStored(samples);
      setPolled((old) => old.filter(({ atMs }) => atMs > lastMs));
    },
  );
  const stats = usePolling(
    `stats ${concertId}`,
    STATS_EVERY_MS,
    (signal) => operatorApi.stats(concertId, signal),
    (value) => {
      const atMs = serverNowMs();
      setNowMs(atMs);
      setPolled((old) => [...old, toSample(value, atMs)]);
    },
  );
  return {
    stats: stats.value,
    samples: mergeSamples(stored, polled, nowMs),
    nowMs,
    error: stats.error ?? history.error,
    refresh: stats.refresh,
  };
}
