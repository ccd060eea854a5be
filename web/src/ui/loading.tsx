import type { ReactNode } from 'react';
import { ErrorNotice } from './error-notice.js';
import { Spinner } from './spinner.js';
import type { Loaded } from './use-loaded.js';

/** Renders the loaded value; before that a spinner or the error. A failed reload shows the error above the old value. */
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
        {of.error !== undefined && <ErrorNotice error={of.error} onRetry={of.reload} />}
        {children(of.value)}
      </>
    );
  }
  return of.error === undefined ? (
    <Spinner onRetry={of.reload} />
  ) : (
    <ErrorNotice error={of.error} onRetry={of.reload} />
  );
}
