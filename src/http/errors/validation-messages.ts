import type { FastifySchemaValidationError } from 'fastify';

/** A name the client sent is shown to it only so far. */
const NAME_SHOWN_MAX_CHARS = 64;

/** Fastify's words for the parts of a request, in the client's. */
const PARTS: Readonly<Record<string, string>> = { querystring: 'query', params: 'path' };

/** Framework errors that are the client's doing, in words that repeat nothing of what it sent. */
const FRAMEWORK_FAULTS: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL: 'path must be percent-encoded UTF-8',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'body must be as long as its Content-Length',
  FST_ERR_CTP_INVALID_JSON_BODY: 'body must be valid JSON',
  FST_ERR_MAX_PARAM_LENGTH: 'path has a segment that is too long',
};

export const frameworkMessage = (code: string): string | undefined => FRAMEWORK_FAULTS[code];

/** What a schema did not like, e.g. `body/amount must be integer`: the place and the rule, never the value. */
export function validationMessage(errors: readonly FastifySchemaValidationError[], part: string): string {
  const [first] = errors;
  const place = `${PARTS[part] ?? part}${first?.instancePath ?? ''}`;
  return `${place} ${ruleOf(errors)}`;
}

function ruleOf(errors: readonly FastifySchemaValidationError[]): string {
  const allowed = errors.flatMap(allowedValues);
  // A choice is reported branch by branch; the client wants to hear all of it at once.
  if (allowed.length > 0) return `must be one of ${allowed.join(', ')}`;
  const [first] = errors;
  const unknown = first?.params['additionalProperty'];
  if (typeof unknown === 'string')
    return `must not have the member ${unknown.slice(0, NAME_SHOWN_MAX_CHARS)}`;
  return first?.message ?? 'is not valid';
}

function allowedValues({ keyword, params }: FastifySchemaValidationError): string[] {
  const { allowedValue, allowedValues: values } = params;
  if (keyword === 'const') return [String(allowedValue)];
  return keyword === 'enum' && Array.isArray(values) ? values.map(String) : [];
}
