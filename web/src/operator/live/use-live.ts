import { useState } from 'react';
import { serverNowMs } from '../../api/index.js';
import { desk as server, type Stats } from '../desk.js';
import { joinSamples, type Sample, sampleNow, samplesOf } from './samples.js';
import { usePolling } from './use-polling.js';

const STATS_EVERY_MS = 2000;
/** The kept hour takes the place of what was seen here, so that a reload shows the same. */
const HISTORY_EVERY_MS = 30_000;

interface Live {
  readonly stats: Stats | undefined;
  readonly samples: readonly Sample[];
  readonly nowMs: number;
  readonly error: unknown;
  readonly poke: () => void;
}

/** The sale in numbers: the last hour, and on from there. */
export function useLive(concertId: string): Live {
  const [kept, setKept] = useState<readonly Sample[]>([]);
  const [seen, setSeen] = useState<readonly Sample[]>([]);
  const [nowMs, setNowMs] = useState(serverNowMs);
  const history = usePolling(
    `history ${concertId}`,
    HISTORY_EVERY_MS,
    (signal) => server.history(concertId, signal),
    (value) => {
      const samples = samplesOf(value);
      const lastMs = samples.at(-1)?.atMs ?? 0;
      setKept(samples);
      setSeen((old) => old.filter(({ atMs }) => atMs > lastMs));
    },
  );
  const stats = usePolling(
    `stats ${concertId}`,
    STATS_EVERY_MS,
    (signal) => server.stats(concertId, signal),
    (value) => {
      const atMs = serverNowMs();
      setNowMs(atMs);
      setSeen((old) => [...old, sampleNow(value, atMs)]);
    },
  );
  return {
    stats: stats.value,
    samples: joinSamples(kept, seen, nowMs),
    nowMs,
    error: stats.error ?? history.error,
    poke: stats.poke,
  };
}
