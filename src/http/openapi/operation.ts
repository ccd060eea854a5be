import { STATUS_CODES } from 'node:http';
import type { FastifyContextConfig, FastifySchema, RouteOptions } from 'fastify';
import type { RefusalCode } from '../../kernel/refusal.js';
import { IDEMPOTENCY_KEY } from '../idempotency/idempotency.js';
import { denialStatuses, PROBLEMS } from '../errors/problems.js';

/** RFC 9457, with Foyer's closed set of codes. */
export const PROBLEM_SCHEMA = {
  $id: 'Problem',
  type: 'object',
  description: 'What went wrong (RFC 9457). Some codes add members of their own.',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { type: 'string', description: 'A URN made from the code' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'For people; may change' },
    code: { type: 'string', description: 'For programs; never changes' },
    errors: {
      type: 'array',
      items: { type: 'string' },
      description: 'Of INVALID_REQUEST: what is wrong with the request',
    },
    faults: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'rule'],
        properties: { path: { type: 'string' }, rule: { type: 'string' } },
      },
      description: 'Of INVALID_REQUEST: the same for a body, each with a JSON pointer to the member',
    },
  },
} as const;

const IDEMPOTENCY_HEADERS = {
  type: 'object',
  properties: {
    'Idempotency-Key': {
      type: 'string',
      pattern: IDEMPOTENCY_KEY,
      description: 'The same key and body are answered with the first outcome again, byte for byte.',
    },
  },
} as const;

const SECURITY = {
  access: [{ accessToken: [] }],
  queue: [{ queueToken: [] }],
  either: [{ accessToken: [] }, { queueToken: [] }],
  operator: [{ accessToken: [] }],
} as const;

const statusesOf = (code: RefusalCode): readonly number[] =>
  code === 'ACCESS_DENIED' ? denialStatuses : [PROBLEMS[code].status];

/** The refusals that the route declares, plus those that follow from its schema and config. */
function refusalsOf(schema: FastifySchema, config: FastifyContextConfig): readonly RefusalCode[] {
  const codes = new Set<RefusalCode>(config.refuses);
  if (config.credential) codes.add('ACCESS_DENIED').add('USER_NOT_FOUND');
  if (schema.params ?? schema.querystring ?? schema.body ?? config.idempotent) codes.add('INVALID_REQUEST');
  if (schema.body) codes.add('PAYLOAD_TOO_LARGE').add('UNSUPPORTED_MEDIA_TYPE');
  if (config.idempotent) codes.add('IDEMPOTENCY_KEY_IN_FLIGHT').add('IDEMPOTENCY_KEY_REUSED');
  return [...codes.add('INTERNAL_ERROR').add('UNAVAILABLE')].sort();
}

function problemResponses(codes: readonly RefusalCode[]): Record<string, object> {
  const byStatus = new Map<number, RefusalCode[]>();
  for (const code of codes) {
    for (const status of statusesOf(code)) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries([...byStatus].map(([status, refused]) => [status, problemResponse(refused)]));
}

const problemResponse = (codes: readonly RefusalCode[]): object => ({
  description: codes.map((code) => PROBLEMS[code].title).join(' · '),
  content: {
    'application/problem+json': {
      schema: { allOf: [{ $ref: 'Problem#' }, { type: 'object', properties: { code: { enum: codes } } }] },
    },
  },
});

const NO_BODY = { type: 'null' };
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The responses that the route declares; the default description is the standard text of the status. */
function declaredResponses(
  { response }: FastifySchema,
  { produces }: FastifyContextConfig,
): Record<string, unknown> {
  const declared = isRecord(response) ? response : { 200: NO_BODY };
  if (produces)
    return { ...declared, 200: withMediaType(produces, isRecord(response) ? response[200] : undefined) };
  return Object.fromEntries(
    Object.entries(declared).map(([status, schema]) => [
      status,
      isRecord(schema) ? { description: STATUS_CODES[status] ?? 'Success', ...schema } : schema,
    ]),
  );
}

/** The route responds with this media type, in addition to JSON if it declares a JSON schema. */
const withMediaType = (produces: string, json: unknown): object => ({
  description: 'OK',
  content: {
    ...(json === undefined ? {} : { 'application/json': { schema: json } }),
    [produces]: { schema: { type: 'string' } },
  },
});

/** `GET /api/v1/concerts/:id` → `getConcertsById`, the method name in generated clients. */
function operationId(method: string, url: string): string {
  const words = url
    .replace(/^\/api\/v\d+/, '')
    .split('/')
    .filter((word) => word !== '')
    .map((word) => (word.startsWith(':') ? `by-${word.slice(1)}` : word));
  return [method.toLowerCase(), ...words]
    .join('-')
    .replace(/-+(\w)/g, (_dash, letter: string) => letter.toUpperCase());
}

/** Adds the security, headers and errors of the route's config to its description. Validation does not change. */
export function describeOperation({
  schema,
  url,
  route,
}: {
  schema: FastifySchema;
  url: string;
  route: RouteOptions;
}) {
  // Contrary to its type, `schema` is undefined for a route without a schema.
  const own: FastifySchema = { ...schema };
  const config: FastifyContextConfig = { ...route.config };
  if (own.hide) return { url, schema: own };
  return {
    url,
    schema: {
      operationId: operationId([route.method].flat().join('-'), url),
      ...own,
      ...(config.credential && { security: SECURITY[config.credential] }),
      ...(config.idempotent && { headers: IDEMPOTENCY_HEADERS }),
      response: { ...declaredResponses(own, config), ...problemResponses(refusalsOf(own, config)) },
    },
  };
}
