import { Problem, ConnectionError } from '../api/index.js';
import type { Dictionary } from './dictionary.js';

const lookUp = (texts: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(texts, key) ? texts[key] : undefined;

/** The explanation of anything that was thrown, and what to do next. */
export function explain(text: Dictionary, error: unknown): string {
  if (error instanceof ConnectionError) return error.timedOut ? text.network.timeout : text.network.offline;
  if (!(error instanceof Problem)) return text.network.unknown;
  const sentence =
    lookUp(text.denials, error.reason) ??
    lookUp(text.refusals, error.code) ??
    (error.status >= 500 ? text.refusals.INTERNAL_ERROR : text.network.unknown);
  return [sentence, ...details(text, error)].join(' ');
}

/** How long to wait before retrying, or the request id to report. */
function details(text: Dictionary, { details }: Problem): string[] {
  const { retryAfterSeconds, requestId } = details;
  if (typeof retryAfterSeconds === 'number') return [text.network.retryIn(retryAfterSeconds)];
  return typeof requestId === 'string' ? [text.network.reference(requestId)] : [];
}
