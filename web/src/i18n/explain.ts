import { Problem, Unreachable } from '../api/index.js';
import type { Dictionary } from './dictionary.js';

const lookUp = (texts: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(texts, key) ? texts[key] : undefined;

/** What went wrong and what to do now, whatever was thrown. */
export function explain(text: Dictionary, error: unknown): string {
  if (error instanceof Unreachable) return error.timedOut ? text.network.timeout : text.network.offline;
  if (!(error instanceof Problem)) return text.network.unknown;
  const sentence =
    lookUp(text.denials, error.reason) ??
    lookUp(text.refusals, error.code) ??
    (error.status >= 500 ? text.refusals.INTERNAL_ERROR : text.network.unknown);
  return [sentence, ...details(text, error)].join(' ');
}

/** What is particular to this refusal: how long to wait, what to quote. */
function details(text: Dictionary, { extra }: Problem): string[] {
  const { retryAfterSeconds, requestId } = extra;
  if (typeof retryAfterSeconds === 'number') return [text.network.retryIn(retryAfterSeconds)];
  return typeof requestId === 'string' ? [text.network.quote(requestId)] : [];
}
