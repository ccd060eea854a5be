import type { Fault } from '../../kernel/refusal.js';

/** Longer names sent by the client are cut off in the message. */
const NAME_SHOWN_MAX_CHARS = 64;
const PATH_SHOWN_MAX_CHARS = 256;

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
export const faultMessage = (part: string, { path, rule }: Fault): string =>
  `${PARTS[part] ?? part}${path} ${rule}`;

/** An error of Fastify's validator, or of TypeBox. Only the params differ. */
export interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message?: string | undefined;
}

const UNKNOWN_MEMBER = 'must not have the member';

export const isUnknownMember = ({ rule }: Fault): boolean => rule.startsWith(UNKNOWN_MEMBER);

/** The violated rules: one per value, and one for each member that is missing or unknown. */
export function toFaults(errors: readonly SchemaError[]): Fault[] {
  const faults: Fault[] = [];
  for (const error of errors) {
    const { keyword, instancePath } = error;
    const path = instancePath.slice(0, PATH_SHOWN_MAX_CHARS);
    if (keyword === 'required') {
      for (const name of namesIn(error, 'missingProperty', 'requiredProperties'))
        faults.push({ path: `${path}/${name}`, rule: 'is required' });
    } else if (keyword === 'additionalProperties') {
      for (const name of namesIn(error, 'additionalProperty', 'additionalProperties'))
        faults.push({ path, rule: `${UNKNOWN_MEMBER} ${name.slice(0, NAME_SHOWN_MAX_CHARS)}` });
    } else if (keyword !== 'boolean' && !faults.some((fault) => fault.path === path)) {
      // A value may violate several rules, and a union reports each of its branches: the first is enough. `boolean` is
      // TypeBox's error for an unknown member, which `additionalProperties` names.
      faults.push({
        path,
        rule: violatedRule(errors.filter((other) => other.instancePath === instancePath)),
      });
    }
  }
  return faults;
}

/** Ajv names one member, TypeBox all of them. */
function namesIn({ params }: SchemaError, one: string, all: string): string[] {
  const names: unknown = Reflect.get(params, all) ?? [Reflect.get(params, one)];
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : [];
}

function violatedRule(errors: readonly SchemaError[]): string {
  const allowed = errors.flatMap(allowedValues);
  // A union reports one error per branch; the message lists all allowed values.
  if (allowed.length > 0) return `must be one of ${allowed.join(', ')}`;
  return errors[0]?.message ?? 'is not valid';
}

function allowedValues({ keyword, params }: SchemaError): string[] {
  if (keyword === 'const') return [String(Reflect.get(params, 'allowedValue'))];
  const values: unknown = Reflect.get(params, 'allowedValues');
  return keyword === 'enum' && Array.isArray(values) ? values.map(String) : [];
}
