import { useCallback, useEffect, useRef, useState } from 'react';

interface Polled<T> {
  readonly value: T | undefined;
  /** The error of the last poll. The value before it stays. */
  readonly error: unknown;
  /** Polls immediately. */
  readonly refresh: () => void;
}

/** Polls while the page is visible. A hidden page does not poll; it polls immediately when it becomes visible. */
export function usePolling<T>(
  key: string,
  everyMs: number,
  load: (signal: AbortSignal) => Promise<T>,
  onValue?: (value: T) => void,
): Polled<T> {
  const [state, setState] = useState<{ key: string; value?: T; error?: unknown }>({ key });
  const [round, setRound] = useState(0);
  const latest = useRef({ load, onValue });
  useEffect(() => {
    latest.current = { load, onValue };
  });
  useEffect(() => {
    const stop = new AbortController();
    let timer = 0;
    let isPolling = false;
    async function poll(): Promise<void> {
      if (isPolling || document.hidden) return;
      isPolling = true;
      window.clearTimeout(timer);
      try {
        const value = await latest.current.load(stop.signal);
        if (stop.signal.aborted) return;
        setState({ key, value });
        latest.current.onValue?.(value);
      } catch (error) {
        if (stop.signal.aborted) return;
        setState((old) => ({ ...(old.key === key ? old : { key }), error }));
      } finally {
        isPolling = false;
      }
      timer = window.setTimeout(() => void poll(), everyMs);
    }
    const onVisibilityChange = (): void => void poll();
    document.addEventListener('visibilitychange', onVisibilityChange);
    void poll();
    return () => {
      stop.abort();
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisibilityChange);
    };
  }, [key, everyMs, round]);
  const current = state.key === key ? state : { key };
  const refresh = useCallback(() => setRound((count) => count + 1), []);
  return { value: current.value, error: current.error, refresh };
}
