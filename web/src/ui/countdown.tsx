import { useEffect, useRef } from 'react';
import { formatClock, useFormat, useText } from '../i18n/index.js';
import { useServerNow } from './use-server-now.js';

interface Props {
  /** An ISO time, compared with the server's clock. */
  readonly until: string;
  readonly label: string;
  readonly onEnd?: (() => void) | undefined;
}

const URGENT_MS = 60_000;
/** Announced only at these times: a countdown read out every second would drown out everything else. */
const ANNOUNCED_AT_MS = [300_000, 120_000, 60_000, 30_000, 10_000];

export function Countdown({ until, label, onEnd }: Props) {
  const { common } = useText();
  const format = useFormat();
  const leftMs = Date.parse(until) - useServerNow();
  const isOver = leftMs <= 0;
  const hasEnded = useRef(false);
  useEffect(() => {
    if (!isOver || hasEnded.current) return;
    hasEnded.current = true;
    onEnd?.();
  }, [isOver, onEnd]);
  const announced = ANNOUNCED_AT_MS.findLast((at) => leftMs <= at);
  return (
    <div className={`countdown ${leftMs < URGENT_MS ? 'countdown-urgent' : ''}`}>
      <span className="countdown-label">{label}</span>
      <span className="countdown-digits" role="timer" aria-label={label}>
        {formatClock(leftMs)}
      </span>
      <span className="visually-hidden" role="status">
        {isOver
          ? common.timeIsUp
          : announced !== undefined && `${common.timeLeft}: ${format.duration(announced)}`}
      </span>
    </div>
  );
}
