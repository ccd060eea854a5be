import { useEffect, useRef } from 'react';
import { formatClock, useFormat, useText } from '../i18n/index.js';
import { useServerNow } from './use-now.js';

interface Props {
  /** When it ends, by the server's clock. */
  readonly until: string;
  readonly label: string;
  readonly onEnd?: () => void;
}

const URGENT_MS = 60_000;
/** Spoken only at these moments: a screen reader that counts every second says nothing else any more. */
const SPOKEN_MS = [300_000, 120_000, 60_000, 30_000, 10_000];

export function Countdown({ until, label, onEnd }: Props) {
  const { common } = useText();
  const format = useFormat();
  const leftMs = Date.parse(until) - useServerNow();
  const isOver = leftMs <= 0;
  const told = useRef(false);
  useEffect(() => {
    if (!isOver || told.current) return;
    told.current = true;
    onEnd?.();
  }, [isOver, onEnd]);
  const spoken = SPOKEN_MS.findLast((at) => leftMs <= at);
  return (
    <div className={`countdown ${leftMs < URGENT_MS ? 'countdown-urgent' : ''}`}>
      <span className="countdown-label">{label}</span>
      <span className="countdown-digits" role="timer" aria-label={label}>
        {formatClock(leftMs)}
      </span>
      <span className="visually-hidden" role="status">
        {isOver ? common.timeIsUp : spoken !== undefined && `${common.timeLeft}: ${format.duration(spoken)}`}
      </span>
    </div>
  );
}
