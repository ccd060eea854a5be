import { useEffect } from 'react';
import { useText } from '../i18n/index.js';
import { createStore, useStore } from '../store/index.js';
import { useRoute } from './router.js';

type Tone = 'good' | 'bad' | 'info';

interface Toast {
  readonly id: number;
  readonly tone: Tone;
  readonly text: string;
}

const SHOWN_MS = 5000;
const SHOWN_MAX = 2;

const toasts = createStore<readonly Toast[]>([]);
let lastId = 0;

const dismiss = (id: number): void => toasts.set(toasts.get().filter((toast) => toast.id !== id));

/** Shows a short message for a few seconds and announces it to screen readers. */
export function toast(text: string, tone: Tone = 'info'): void {
  lastId += 1;
  const others = toasts.get().filter((other) => other.text !== text);
  toasts.set([...others, { id: lastId, tone, text }].slice(-SHOWN_MAX));
}

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

/** Rendered even when empty: a live region must exist before its first message, or screen readers miss it. */
export function Toasts() {
  const shown = useStore(toasts);
  const { path } = useRoute();
  // After a navigation only the newest toast stays, and no error: the others were about the previous page.
  useEffect(
    () =>
      toasts.set(
        toasts
          .get()
          .slice(-1)
          .filter(({ tone }) => tone !== 'bad'),
      ),
    [path],
  );
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map((each) => (
        <ToastView key={each.id} {...each} />
      ))}
    </div>
  );
}
