import { useEffect, useState } from 'react';

/** Whether an action has been running for `afterMs`: then the page says why the user waits. */
export function useIsSlow(busy: boolean, afterMs: number): boolean {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    if (!busy) return undefined;
    const timer = window.setTimeout(() => setIsSlow(true), afterMs);
    return () => {
      window.clearTimeout(timer);
      setIsSlow(false);
    };
  }, [busy, afterMs]);
  return isSlow;
}
