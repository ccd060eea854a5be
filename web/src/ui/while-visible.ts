/** Runs `start` whenever the page becomes visible and its cleanup when it is hidden. Returns the function that ends it. */
export function whileVisible(start: () => () => void): () => void {
  let stop: (() => void) | undefined;
  const restart = (): void => {
    stop?.();
    stop = document.hidden ? undefined : start();
  };
  document.addEventListener('visibilitychange', restart);
  restart();
  return () => {
    document.removeEventListener('visibilitychange', restart);
    stop?.();
  };
}
