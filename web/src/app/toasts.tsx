import { useEffect, useSyncExternalStore } from 'react';
import { useText } from '../i18n/index.js';
import { useRoute } from './router.js';

type Tone = 'good' | 'bad' | 'info';

interface Toast {
  readonly id: number;
  readonly tone: Tone;
  readonly text: string;
}

const SHOWN_MS = 5000;
const SHOWN_MAX = 2;

let toasts: readonly Toast[] = [];
let count = 0;
const listeners = new Set<() => void>();

function show(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

const dismiss = (id: number): void => show(toasts.filter((toast) => toast.id !== id));

/** Says something in passing, to eyes and to screen readers. */
export function toast(text: string, tone: Tone = 'info'): void {
  count += 1;
  show([...toasts.filter((other) => other.text !== text), { id: count, tone, text }].slice(-SHOWN_MAX));
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function ToastView({ id, tone, text }: Toast) {
  const { common } = useText();
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id]);
  return (
    <div className={`toast toast-${tone}`}>
      <p>{text}</p>
      <button type="button" className="toast-close" aria-label={common.dismiss} onClick={() => dismiss(id)}>
        ×
      </button>
    </div>
  );
}

/** Always there, so that screen readers listen to it before the first word. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  const { path } = useRoute();
  // Only the last word goes along to the next page, and nothing that failed: the rest was about the page before.
  useEffect(() => show(toasts.slice(-1).filter(({ tone }) => tone !== 'bad')), [path]);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map((each) => (
        <ToastView key={each.id} {...each} />
      ))}
    </div>
  );
}
