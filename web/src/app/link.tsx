import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { navigate } from './router.js';

type Props = AnchorHTMLAttributes<HTMLAnchorElement> & { readonly href: string };

/** A click that means "go there", and not "open elsewhere" or "save". */
const isPlain = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** A real link, followed without loading the document anew. */
export function Link({ href, onClick, ...rest }: Props) {
  return (
    <a
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || !isPlain(event)) return;
        event.preventDefault();
        navigate(href);
      }}
      {...rest}
    />
  );
}
