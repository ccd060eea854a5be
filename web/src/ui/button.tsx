import type { ButtonHTMLAttributes } from 'react';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly tone?: 'primary' | 'quiet' | 'danger';
  /** Shows progress and ignores presses, but stays focusable. */
  readonly busy?: boolean;
}

export function Button({
  tone = 'primary',
  busy = false,
  className = '',
  onClick,
  children,
  ...rest
}: Props) {
  return (
    <button
      type="button"
      className={`button button-${tone} ${className}`}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
      {...rest}
    >
      {busy && <span className="button-dots" aria-hidden="true" />}
      <span>{children}</span>
    </button>
  );
}
