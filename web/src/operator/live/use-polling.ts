import { useCallback, useEffect, useRef, useState } from 'react';

interface Polled<T> {
  readonly value: T | undefined;
  /** Why the last answer did not come; the value of the time before stays. */
  readonly error: unknown;
  /** Asks at once. */
  readonly poke: () => void;
}

/** Asks again and again while somebody looks: a hidden page rests, and catches up when it is shown. */
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
    let asking = false;
    async function ask(): Promise<void> {
      if (asking || document.hidden) return;
      asking = true;
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
        asking = false;
      }
      timer = window.setTimeout(() => void ask(), everyMs);
    }
    const onShown = (): void => void ask();
    document.addEventListener('visibilitychange', onShown);
    void ask();
    return () => {
      stop.abort();
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', onShown);
    };
  }, [key, everyMs, round]);
  const current = state.key === key ? state : { key };
  const poke = useCallback(() => setRound((count) => count + 1), []);
  return { value: current.value, error: current.error, poke };
}
