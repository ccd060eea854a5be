import { isUtf8 } from 'node:buffer';
import { Refusal } from '../../kernel/refusal.js';
import type { App } from '../../platform/web/index.js';

/** Validation of all parts of a request: values are not coerced, unknown members are not dropped. */
export const SCHEMA_OPTIONS = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: true,
  // Stop at the first error: a hostile body must not make the server collect thousands. If the body is small or an
  // operator sent it, errors/body-faults.ts finds the other errors.
  allErrors: false,
  // A misspelt schema keyword fails the startup instead of accepting everything.
  strict: true,
  allowUnionTypes: false,
} as const;

const NUL_ESCAPED = '\\u0000';
const NO_NUL = { errors: ['body must not contain U+0000'] };

/** PostgreSQL cannot store U+0000. Checks parsed values, because `\\u0000` in JSON is a backslash and not U+0000. */
function hasNul(body: unknown): boolean {
  // Iterative, because a body may be nested deeper than the call stack.
  const pending = [body];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string' && value.includes('\0')) return true;
    if (typeof value !== 'object' || value === null) continue;
    // No spread: an array may have more elements than a call can have arguments.
    for (const [name, member] of Object.entries(value)) pending.push(name, member);
  }
  return false;
}

/** Accepts no body format but JSON in UTF-8. */
export function acceptJsonOnly(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) {
      // Many clients send a content type even without a body.
      done(null, undefined);
    } else if (isUtf8(body)) {
      const text = body.toString('utf8');
      void parse(request, text, (error, value) => {
        if (!error && text.includes(NUL_ESCAPED) && hasNul(value))
          done(new Refusal('INVALID_REQUEST', NO_NUL));
        else done(error, value);
      });
    } else {
      done(new Refusal('INVALID_REQUEST', { errors: ['body must be UTF-8'] }));
    }
  });
}
