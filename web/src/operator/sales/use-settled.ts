import { useEffect, useState } from 'react';

/** What was typed, once the typing has paused. */
export function useSettled(value: string, afterMs = 300): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs);
    return () => clearTimeout(timer);
  }, [value, afterMs]);
  return settled;
}
