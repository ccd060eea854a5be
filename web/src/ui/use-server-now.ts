import { useEffect, useState } from 'react';
import { serverNowMs } from '../api/index.js';

/** The server's time, updated every `everyMs`. Updates are aligned so that all countdowns on a page tick in step. */
export function useServerNow(everyMs = 1000): number {
  const [now, setNow] = useState(serverNowMs);
  useEffect(() => {
    let timer = 0;
    const tick = (): void => {
      const current = serverNowMs();
      setNow(current);
      timer = window.setTimeout(tick, everyMs - (current % everyMs));
    };
    tick();
    return () => window.clearTimeout(timer);
  }, [everyMs]);
  return now;
}
