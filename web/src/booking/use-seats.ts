import { useEffect, useState } from 'react';
import { addressOf, api, type Connection, follow, type Problem, withRetries } from '../api/index.js';
import {
  applyChanges,
  type Chart,
  decodeChart,
  decodeState,
  type SeatChange,
  type SeatStates,
} from '../seat-map/index.js';
import { useLoaded, whileVisible } from '../ui/index.js';

/** Without a stream the state is read again this often: it is one small answer for the whole hall. */
const POLL_MS = 3000;

/** The chart of a stadium takes its time over a slow line, and comes once. */
const CHART_MAX_MS = 70_000;

interface SeatsNow {
  readonly states: SeatStates | undefined;
  readonly connection: Connection;
  readonly refused: Problem | undefined;
}

interface SeatsEvent {
  readonly scheduleId: string;
  readonly seats: readonly SeatChange[];
}

/** The chart of a date: read once, and kept by the browser. */
export const useChart = (scheduleId: string, token: string) =>
  useLoaded(`chart ${scheduleId}`, async (signal) =>
    decodeChart(
      await api.get('/schedules/{id}/chart', {
        params: { id: scheduleId },
        token,
        signal,
        timeoutMs: CHART_MAX_MS,
      }),
    ),
  );

/** The seats of a date as they change. The stream is opened first and the state read after it, so nothing is missed. */
export function useSeatStates(chart: Chart, token: string): SeatsNow {
  const [now, setNow] = useState<SeatsNow>({
    states: undefined,
    connection: 'connecting',
    refused: undefined,
  });
  useEffect(() => {
    const params = { id: chart.scheduleId };

    async function read(signal: AbortSignal): Promise<number> {
      const body = await withRetries(() => api.get('/schedules/{id}/state', { params, token, signal }));
      if (!signal.aborted) setNow((old) => ({ ...old, states: decodeState(body, chart) }));
      return POLL_MS;
    }
    function take(seats: readonly SeatChange[]): void {
      setNow((old) => (old.states ? { ...old, states: applyChanges(old.states, chart, seats) } : old));
    }
    return whileVisible(() => {
      const stop = new AbortController();
      const stopFollowing = follow({
        address: addressOf('/schedules/{id}/seats/events', params),
        token,
        poll: read,
        onEvent: ({ name, data }) => {
          if (name === 'seats') take((data as SeatsEvent).seats);
        },
        onConnection: (connection) => {
          setNow((old) => ({ ...old, connection }));
          if (connection === 'live') read(stop.signal).catch(() => undefined);
        },
        onRefused: (refused) => setNow((old) => ({ ...old, refused })),
      });
      return () => {
        stop.abort();
        stopFollowing();
      };
    });
  }, [chart, token]);
  return now;
}
