import { useEffect, useState } from 'react';
import { Unreachable } from '../api/index.js';
import { useText } from '../i18n/index.js';
import { Failure } from './failure.js';

const SLOW_MS = 4000;
/** Longer than any call is waited for, with its retries: whatever still turns by then is never going to end. */
const END_MS = 75_000;

/** Says that something is on its way, then that it is slow, and in the end that it did not come. */
export function Spinner({ label, onRetry }: { readonly label?: string; readonly onRetry?: () => void }) {
  const { common } = useText();
  const [stage, setStage] = useState<'new' | 'slow' | 'over'>('new');
  useEffect(() => {
    const timers = [setTimeout(() => setStage('slow'), SLOW_MS), setTimeout(() => setStage('over'), END_MS)];
    return () => timers.forEach(clearTimeout);
  }, []);
  if (stage === 'over') {
    return <Failure error={new Unreachable(true)} onRetry={onRetry ?? (() => location.reload())} />;
  }
  return (
    <div className="spinner" role="status">
      <span className="spinner-ring" aria-hidden="true" />
      <span>{stage === 'slow' ? common.loadingSlow : (label ?? common.loading)}</span>
    </div>
  );
}
