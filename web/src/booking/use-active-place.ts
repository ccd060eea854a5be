import { useEffect, useState } from 'react';
import { api, Problem, type QueueToken } from '../api/index.js';
import { placeEndedProblem } from '../waiting/place-ended-problem.js';

interface PlaceState {
  readonly place: QueueToken | undefined;
  /** Why the place has ended. */
  readonly ended: Problem | undefined;
}

const RETRY_MS = 5000;
/** Of a hidden page whose fan waits: often enough to alert them on admission. */
const HIDDEN_POLL_MS = 20_000;

const endOf = ({ status }: QueueToken): Problem | undefined =>
  status === 'WAITING' || status === 'ACTIVE' ? undefined : placeEndedProblem(status);

/**
 * Polls a place. Each poll counts as activity, so that a fan who looks at the page does not become idle. A hidden page polls
 * only while the fan waits: the active place of a fan who went away is given to the next one.
 */
export function useActivePlace(token: string | undefined): PlaceState {
  const [state, setState] = useState<PlaceState & { token?: string }>({ place: undefined, ended: undefined });
  useEffect(() => {
    if (token === undefined) return;
    const stop = new AbortController();
    let timer = 0;
    let latest = 0;
    let isWaiting = false;

    async function poll(polled: string): Promise<number> {
      try {
        const place = await api.get('/queue-tokens/me', { token: polled, signal: stop.signal });
        isWaiting = place.status === 'WAITING';
        setState({ token: polled, place, ended: endOf(place) });
        return place.pollAfterMs;
      } catch (error) {
        if (error instanceof Problem && !error.isTransient && !stop.signal.aborted)
          setState({ token: polled, place: undefined, ended: error });
        return RETRY_MS;
      }
    }
    const keepPolling = (): void => {
      window.clearTimeout(timer);
      if (document.hidden && !isWaiting) return;
      latest += 1;
      const round = latest;
      void poll(token).then((afterMs) => {
        if (stop.signal.aborted || round !== latest) return;
        timer = window.setTimeout(keepPolling, document.hidden ? Math.max(afterMs, HIDDEN_POLL_MS) : afterMs);
      });
    };
    document.addEventListener('visibilitychange', keepPolling);
    keepPolling();
    return () => {
      stop.abort();
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', keepPolling);
    };
  }, [token]);
  // The state may still belong to the previous token.
  return state.token === token ? state : { place: undefined, ended: undefined };
}
