import { useCallback, useEffect, useRef, useState } from 'react';
import { withRetries } from '../api/index.js';

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

interface State<Item> {
  readonly key: string;
  readonly items: readonly Item[] | undefined;
  readonly nextCursor: string | null;
  readonly busy: boolean;
  readonly error: unknown;
}

/** A list that is read page by page. `items` is undefined until the first page is there. */
export interface Pages<Item> extends Omit<State<Item>, 'key'> {
  readonly more: () => void;
  readonly reload: () => void;
  /** Puts a changed entry in its place. */
  readonly replace: (change: (item: Item) => Item) => void;
}

/** `key` says what is listed: another key is another list, and answers to the old one are dropped. */
export function usePages<Item>(
  key: string,
  load: (cursor: string | undefined) => Promise<Page<Item>>,
): Pages<Item> {
  const empty: State<Item> = { key, items: undefined, nextCursor: null, busy: true, error: undefined };
  const [state, setState] = useState(empty);
  const [round, setRound] = useState(0);
  const current = useRef(0);
  const loader = useRef(load);
  useEffect(() => {
    loader.current = load;
  });

  const read = useCallback(
    (cursor: string | undefined) => {
      const turn = (current.current += 1);
      setState((old) => ({
        ...(old.key === key ? old : { ...old, key, items: undefined }),
        busy: true,
        error: undefined,
      }));
      withRetries(() => loader.current(cursor)).then(
        ({ items, nextCursor }) => {
          if (turn !== current.current) return;
          setState((old) => ({
            key,
            items: cursor === undefined ? items : [...(old.items ?? []), ...items],
            nextCursor,
            busy: false,
            error: undefined,
          }));
        },
        (error: unknown) => {
          if (turn === current.current) setState((old) => ({ ...old, busy: false, error }));
        },
      );
    },
    [key],
  );

  useEffect(() => {
    // eslint-disable-next-line react-hooks/set-state-in-effect -- says that it is on its way
    read(undefined);
    return () => {
      current.current += 1;
    };
  }, [read, round]);

  const { nextCursor } = state;
  return {
    ...(state.key === key ? state : empty),
    more: useCallback(() => {
      if (nextCursor !== null) read(nextCursor);
    }, [read, nextCursor]),
    reload: useCallback(() => setRound((count) => count + 1), []),
    replace: useCallback(
      (change) => setState((old) => ({ ...old, items: old.items?.map((item) => change(item)) })),
      [],
    ),
  };
}
