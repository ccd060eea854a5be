import { useEffect, useEffectEvent } from 'react';

/** Runs `work` periodically while the page is visible, and immediately when it becomes visible again. */
export function useVisibleInterval(everyMs: number, work: () => void): void {
  const run = useEffectEvent(work);
  useEffect(() => {
    const runIfVisible = (): void => {
      if (!document.hidden) run();
    };
    const timer = setInterval(runIfVisible, everyMs);
    document.addEventListener('visibilitychange', runIfVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', runIfVisible);
    };
  }, [everyMs]);
}
