import { useEffect, useMemo, useState } from 'react';
import { urlOf, api, type Connection, follow, type Problem, withRetries } from '../../api/index.js';
import {
  applyChanges,
  type Chart,
  decodeChart,
  decodeState,
  markMine,
  type SeatChange,
  type SeatStates,
} from '../../seat-map/index.js';
import type { Account } from '../../session/index.js';
import { useLoaded, whileVisible } from '../../ui/index.js';
import { useMyHolds } from '../my-holds.js';

/** Poll interval without a stream. The response is small: two bits per seat. */
const POLL_MS = 3000;

/** A stadium's chart is large; it is loaded once. */
const CHART_TIMEOUT_MS = 70_000;

interface LiveSeats {
  readonly states: SeatStates | undefined;
  readonly connection: Connection;
  readonly refused: Problem | undefined;
}

/** The same states, with the seats marked that the fan already holds on this date. */
export function useWithMine(states: SeatStates | undefined, chart: Chart, account: Account) {
  const holds = useMyHolds(account);
  return useMemo(() => {
    const ids = holds
      .filter(({ scheduleId }) => scheduleId === chart.scheduleId)
      .flatMap(({ seats }) => seats.map(({ id }) => id));
    return states && markMine(states, chart, ids);
  }, [states, chart, holds]);
}

interface SeatsEvent {
  readonly scheduleId: string;
  readonly seats: readonly SeatChange[];
}

/** The chart of a date. It never changes, and the browser caches it. */
export const useChart = (scheduleId: string, token: string) =>
  useLoaded(`chart ${scheduleId}`, async (signal) =>
    decodeChart(
      await api.get('/schedules/{id}/chart', {
        params: { id: scheduleId },
        token,
        signal,
        timeoutMs: CHART_TIMEOUT_MS,
      }),
    ),
  );

/** The live seat states of a date. The stream is opened before the state is read, so that no change is missed. */
export function useSeatStates(chart: Chart, token: string): LiveSeats {
  const [now, setNow] = useState<LiveSeats>({
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
    function apply(seats: readonly SeatChange[]): void {
      setNow((old) => (old.states ? { ...old, states: applyChanges(old.states, chart, seats) } : old));
    }
    return whileVisible(() => {
      const stop = new AbortController();
      const stopFollowing = follow({
        url: urlOf('/schedules/{id}/seats/events', params),
        token,
        poll: read,
        onEvent: ({ name, data }) => {
          if (name === 'seats') apply((data as SeatsEvent).seats);
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
