import { useCallback, useEffect, useState } from 'react';
import { withRetries } from '../api/index.js';

/** Something on its way, there, or refused. `value` of the last time stays while it is loaded again. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: unknown;
  readonly reload: () => void;
  /** Puts in what is known already, an answer of another call say. */
  readonly put: (value: T) => void;
}

interface State<T> {
  readonly key: string;
  readonly value?: T;
  readonly error?: unknown;
}

/**
 * Loads what a page shows, with retries. `key` says what is asked for: another key is another thing, and the old one is
 * no longer shown.
 */
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<State<T>>({ key });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    withRetries(() => load(stop.signal)).then(
      (value) => stop.signal.aborted || setState({ key, value }),
      (error: unknown) =>
        stop.signal.aborted || setState((old) => ({ ...(old.key === key ? old : { key }), error })),
    );
    return () => stop.abort();
    // `load` is made anew with every rendering; the key says when it means another thing.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key, round]);
  const reload = useCallback(() => {
    setState(({ error: _, ...old }) => old);
    setRound((count) => count + 1);
  }, []);
  const put = useCallback((value: T) => setState({ key, value }), [key]);
  const current = state.key === key ? state : { key };
  return { value: current.value, error: current.error, reload, put };
}
