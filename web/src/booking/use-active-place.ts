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
 * only while the fan waits: the active place of a fan who went away is given to the next one. A place that has ended is final
 * and not polled.
 */
export function useActivePlace(token: string | undefined): PlaceState {
  const [state, setState] = useState<PlaceState & { token?: string }>({ place: undefined, ended: undefined });
  useEffect(() => {
    if (token === undefined) return;
    const stop = new AbortController();
    let timer = 0;
    let latest = 0;
    let isWaiting = false;
    let hasEnded = false;
    /** A newer poll has started: an older answer must not overwrite its answer. */
    const isOutdated = (round: number): boolean => stop.signal.aborted || round !== latest;

    async function poll(polled: string, round: number): Promise<number> {
      const show = (place: QueueToken | undefined, ended: Problem | undefined): void => {
        if (isOutdated(round)) return;
        isWaiting = place?.status === 'WAITING';
        hasEnded = ended !== undefined;
        setState({ token: polled, place, ended });
      };
      try {
        const place = await api.get('/queue-tokens/me', { token: polled, signal: stop.signal });
        show(place, endOf(place));
        return place.pollAfterMs;
      } catch (error) {
        if (error instanceof Problem && !error.isTransient) show(undefined, error);
        return RETRY_MS;
      }
    }
    const keepPolling = (): void => {
      window.clearTimeout(timer);
      if (hasEnded || (document.hidden && !isWaiting)) return;
      latest += 1;
      const round = latest;
      void poll(token, round).then((afterMs) => {
        if (hasEnded || isOutdated(round)) return;
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
