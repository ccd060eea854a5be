import { useEffect, useState } from 'react';

/** The value after it has not changed for `afterMs`. */
export function useDebounced(value: string, afterMs = 300): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), afterMs);
    return () => clearTimeout(timer);
  }, [value, afterMs]);
  return debounced;
}
