import type { ReactNode } from 'react';

interface Props {
  readonly tone?: 'info' | 'good' | 'warn' | 'bad';
  readonly title?: string;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
}

/** A message within the page. Screen readers announce errors immediately and everything else politely. */
export function Notice({ tone = 'info', title, children, actions }: Props) {
  return (
    <div className={`notice notice-${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {title !== undefined && <p className="notice-title">{title}</p>}
      <div>{children}</div>
      {actions !== undefined && <div className="notice-actions">{actions}</div>}
    </div>
  );
}
