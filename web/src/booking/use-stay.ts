import { useEffect, useState } from 'react';
import { api, Problem, type QueueToken } from '../api/index.js';
import { placeEndedProblem } from '../waiting/place-ended-problem.js';

interface Stay {
  readonly place: QueueToken | undefined;
  /** Why the place is over. */
  readonly over: Problem | undefined;
}

const RETRY_MS = 5000;

const overOf = ({ status }: QueueToken): Problem | undefined =>
  status === 'DONE' || status === 'EXPIRED' ? placeEndedProblem(status) : undefined;

/**
 * Stays inside: asking is a sign of life, so a fan who looks at the page does not lose the place for being quiet. Hidden,
 * the page says nothing, and the slot of somebody who went away becomes free.
 */
export function useStay(token: string | undefined): Stay {
  const [stay, setStay] = useState<Stay & { token?: string }>({ place: undefined, over: undefined });
  useEffect(() => {
    if (token === undefined) return;
    const stop = new AbortController();
    let timer = 0;

    async function ask(known: string): Promise<number> {
      try {
        const place = await api.get('/queue-tokens/me', { token: known, signal: stop.signal });
        setStay({ token: known, place, over: overOf(place) });
        return place.pollAfterMs;
      } catch (error) {
        if (error instanceof Problem && !error.isPassing && !stop.signal.aborted)
          setStay({ token: known, place: undefined, over: error });
        return RETRY_MS;
      }
    }
    const turn = (): void => {
      window.clearTimeout(timer);
      if (document.hidden) return;
      void ask(token).then((afterMs) => {
        if (!stop.signal.aborted) timer = window.setTimeout(turn, afterMs);
      });
    };
    document.addEventListener('visibilitychange', turn);
    turn();
    return () => {
      stop.abort();
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', turn);
    };
  }, [token]);
  // What is known of another token is not known of this one.
  return stay.token === token ? stay : { place: undefined, over: undefined };
}
