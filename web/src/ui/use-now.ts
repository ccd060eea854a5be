import { useEffect, useState } from 'react';
import { serverNowMs } from '../api/index.js';

/** The server's time, anew every `everyMs`: aligned, so that all countdowns of a page tick together. */
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
