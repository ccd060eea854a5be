import { useCallback, useEffect, useState } from 'react';
import { withRetries } from '../api/index.js';

/** The result of a request. During a reload, and after a failed one, `value` is the last successful result. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
  /** Changes the loaded value in place, for example to the response of another call. Ignored before the first result. */
  readonly update: (change: (value: T) => T) => void;
}

interface State<T> {
  readonly key: string;
  /** The reload that `value` or `error` belongs to. */
  readonly round: number;
  readonly value?: T;
  readonly error?: unknown;
}

/** Loads data with retries. A different `key` means different data: the old value is dropped and `load` runs again. */
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [round, setRound] = useState(0);
  const [state, setState] = useState<State<T>>({ key, round: -1 });
  useEffect(() => {
    const stop = new AbortController();
    withRetries(() => load(stop.signal)).then(
      (value) => stop.signal.aborted || setState({ key, round, value }),
      (error: unknown) =>
        stop.signal.aborted || setState((old) => ({ ...(old.key === key ? old : { key }), round, error })),
    );
    return () => stop.abort();
    // `load` is a new function on every render; only the key says that it loads something else.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key, round]);
  const reload = useCallback(() => {
    setState(({ error: _, ...old }) => old);
    setRound((count) => count + 1);
  }, []);
  const update = useCallback(
    (change: (value: T) => T) =>
      setState(({ error: _, ...old }) =>
        old.key === key && old.value !== undefined ? { ...old, value: change(old.value) } : old,
      ),
    [key],
  );
  const current = state.key === key ? state : { key, round: -1 };
  return {
    value: current.value,
    error: current.error,
    isLoading: current.round !== round,
    reload,
    update,
  };
}
