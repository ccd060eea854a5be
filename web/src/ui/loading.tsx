import type { ReactNode } from 'react';
import { Failure } from './failure.js';
import { Spinner } from './spinner.js';
import type { Loaded } from './use-loaded.js';

/** Shows what was loaded, or how far that is. */
export function Loading<T>({
  of,
  children,
}: {
  readonly of: Loaded<T>;
  readonly children: (value: T) => ReactNode;
}) {
  if (of.value !== undefined) {
    return (
      <>
        {of.error !== undefined && <Failure error={of.error} onRetry={of.reload} />}
        {children(of.value)}
      </>
    );
  }
  return of.error === undefined ? (
    <Spinner onRetry={of.reload} />
  ) : (
    <Failure error={of.error} onRetry={of.reload} />
  );
}
