import type { FastifySchemaValidationError } from 'fastify';

/** Longer names sent by the client are cut off in the message. */
const NAME_SHOWN_MAX_CHARS = 64;

/** Fastify's names for the parts of a request → names in messages. */
const PARTS: Readonly<Record<string, string>> = { querystring: 'query', params: 'path' };

/** Messages for Fastify's 4xx errors. They repeat nothing that the client sent. */
const FRAMEWORK_MESSAGES: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL: 'path must be percent-encoded UTF-8',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'body must be as long as its Content-Length',
  FST_ERR_CTP_INVALID_JSON_BODY: 'body must be valid JSON',
  FST_ERR_MAX_PARAM_LENGTH: 'path has a segment that is too long',
};

export const frameworkMessage = (code: string): string | undefined => FRAMEWORK_MESSAGES[code];

/** For example `body/amount must be integer`: the location and the violated rule, never the value. */
export function validationMessage(errors: readonly FastifySchemaValidationError[], part: string): string {
  const [first] = errors;
  const location = `${PARTS[part] ?? part}${first?.instancePath ?? ''}`;
  return `${location} ${violatedRule(errors)}`;
}

function violatedRule(errors: readonly FastifySchemaValidationError[]): string {
  const allowed = errors.flatMap(allowedValues);
  // A union reports one error per branch; the message lists all allowed values.
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
