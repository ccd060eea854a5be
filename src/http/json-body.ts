import { isUtf8 } from 'node:buffer';
import { Refusal } from '../kernel/refusal.js';
import type { App } from '../platform/web/index.js';

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

/** JSON in UTF-8 is the only body there is. */
export function takeJsonOnly(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) {
      // Many clients name a type even when they send nothing.
      done(null, undefined);
    } else if (isUtf8(body)) {
      void parse(request, body.toString('utf8'), done);
    } else {
      done(new Refusal('INVALID_REQUEST', { errors: ['body must be UTF-8'] }));
    }
  });
}
