import { isUtf8 } from 'node:buffer';
import { Refusal } from '../../kernel/refusal.js';
import type { App } from '../../platform/web/index.js';

/** How schemas are applied to every part of a request: nothing is coerced, nothing unknown is dropped silently. */
export const SCHEMA_OPTIONS = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: true,
  // One fault is enough to refuse, and a hostile body cannot make the server collect thousands.
  allErrors: false,
  // A schema with a misspelt keyword stops the start instead of letting everything through.
  strict: true,
  allowUnionTypes: false,
} as const;

const NUL_ESCAPED = '\\u0000';
const NO_NUL = { errors: ['body must not contain U+0000'] };

/** No text in any database holds this character; an escaped backslash before `u0000` only looks like it. */
function hasNul(body: unknown): boolean {
  // A list of what is left and no recursion: a body may be nested deeper than the stack.
  const left = [body];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && value.includes('\0')) return true;
    if (typeof value !== 'object' || value === null) continue;
    // One by one: an array may be longer than the arguments of a call.
    for (const [name, member] of Object.entries(value)) left.push(name, member);
  }
  return false;
}

/** JSON in UTF-8 is the only body there is. */
export function acceptJsonOnly(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) {
      // Many clients name a type even when they send nothing.
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
