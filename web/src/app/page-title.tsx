import { type ReactNode, useEffect, useRef } from 'react';
import { hasNavigated } from './router.js';

interface Props {
  readonly children: ReactNode;
  /** For the tab, where it is not the heading's own text. */
  readonly title: string;
}

/** A page's heading. After a navigation it takes the focus, so that a screen reader says where one is. */
export function PageTitle({ children, title }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (hasNavigated()) heading.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    document.title = `${title} · Foyer`;
    // What comes next may have to load, or be refused: it does not go by this name.
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
