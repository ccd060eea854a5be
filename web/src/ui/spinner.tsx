import { useEffect, useState } from 'react';
import { ConnectionError } from '../api/index.js';
import { useText } from '../i18n/index.js';
import { ErrorNotice } from './error-notice.js';

const SLOW_MS = 4000;
/** Longer than any call with all its retries: still loading after this means a bug or a lost response. */
const GIVE_UP_MS = 75_000;

/** A loading indicator that first says that it takes long and finally shows a timeout error. */
export function Spinner({ label, onRetry }: { readonly label?: string; readonly onRetry?: () => void }) {
  const { common } = useText();
  const [stage, setStage] = useState<'new' | 'slow' | 'over'>('new');
  useEffect(() => {
    const timers = [
      setTimeout(() => setStage('slow'), SLOW_MS),
      setTimeout(() => setStage('over'), GIVE_UP_MS),
    ];
    return () => timers.forEach(clearTimeout);
  }, []);
  if (stage === 'over') {
    return <ErrorNotice error={new ConnectionError(true)} onRetry={onRetry ?? (() => location.reload())} />;
  }
  return (
    <div className="spinner" role="status">
      <span className="spinner-ring" aria-hidden="true" />
      <span>{stage === 'slow' ? common.loadingSlow : (label ?? common.loading)}</span>
    </div>
  );
}
