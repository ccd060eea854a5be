import { useCallback, useRef, useState } from 'react';

/** What a button does: it never runs twice concurrently, and its error is kept for display. */
export interface Action<Input extends unknown[]> {
  readonly busy: boolean;
  readonly error: unknown;
  readonly run: (...input: Input) => void;
  readonly clear: () => void;
}

export function useAction<Input extends unknown[]>(work: (...input: Input) => Promise<void>): Action<Input> {
  const [state, setState] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: undefined });
  const running = useRef(false);
  const run = (...input: Input): void => {
    if (running.current) return;
    running.current = true;
    setState({ busy: true, error: undefined });
    work(...input)
      .then(
        () => setState({ busy: false, error: undefined }),
        (error: unknown) => setState({ busy: false, error }),
      )
      .finally(() => {
        running.current = false;
      });
  };
  const clear = useCallback(() => setState((old) => ({ ...old, error: undefined })), []);
  return { ...state, run, clear };
}
