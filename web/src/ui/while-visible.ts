/** Runs something while the page is looked at; seen again, it starts anew. Returns how to end it for good. */
export function whileVisible(start: () => () => void): () => void {
  let stop: (() => void) | undefined;
  const turn = (): void => {
    stop?.();
    stop = document.hidden ? undefined : start();
  };
  document.addEventListener('visibilitychange', turn);
  turn();
  return () => {
    document.removeEventListener('visibilitychange', turn);
    stop?.();
  };
}
