import { useEffect, useEffectEvent } from 'react';

/** Does something again and again while the page is looked at, and at once when one comes back to it. */
export function useEvery(everyMs: number, work: () => void): void {
  const run = useEffectEvent(work);
  useEffect(() => {
    const whenSeen = (): void => {
      if (!document.hidden) run();
    };
    const timer = setInterval(whenSeen, everyMs);
    document.addEventListener('visibilitychange', whenSeen);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', whenSeen);
    };
  }, [everyMs]);
}
