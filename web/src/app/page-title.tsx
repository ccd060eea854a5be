import { type ReactNode, useEffect, useRef } from 'react';
import { hasNavigated } from './router.js';

interface Props {
  readonly children: ReactNode;
  /** The title of the browser tab. */
  readonly title: string;
}

/** A page's heading. It is focused after a navigation, so that a screen reader announces the new page. */
export function PageTitle({ children, title }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (hasNavigated()) heading.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    document.title = `${title} · Foyer`;
    // The next page sets its own title only once it has loaded.
    return () => {
      document.title = 'Foyer';
    };
  }, [title]);
  return (
    <h1 ref={heading} tabIndex={-1} className="page-title">
      {children}
    </h1>
  );
}
