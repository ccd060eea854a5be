import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { navigate } from './router.js';

type Props = AnchorHTMLAttributes<HTMLAnchorElement> & { readonly href: string };

/** A click without modifiers: not "open in a new tab" or "save". */
const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** A link that navigates without reloading the document. */
export function Link({ href, onClick, ...rest }: Props) {
  return (
    <a
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || !isPlainClick(event)) return;
        event.preventDefault();
        navigate(href);
      }}
      {...rest}
    />
  );
}
