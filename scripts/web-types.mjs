// Generates what the pages know about the API from openapi.json: the types of every call and the limits of its inputs.
// With --check it writes nothing and fails if a generated file is stale. Why not a library: docs/adr/0018-own-api-type-generator.md.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * @typedef {{
 *   type?: string | string[], enum?: string[], anyOf?: Schema[], description?: string,
 *   properties?: Record<string, Schema>, required?: string[], additionalProperties?: boolean | Schema, items?: Schema,
 *   minLength?: number, maxLength?: number, minimum?: number, maximum?: number, minItems?: number, maxItems?: number,
 * }} Schema
 * @typedef {Record<string, { schema: Schema } | undefined>} Content
 * @typedef {{ in: string, name: string, required: boolean, schema: Schema, description?: string }} Parameter
 * @typedef {{
 *   operationId: string, summary: string, parameters?: Parameter[], requestBody?: { content: Content },
 *   responses: Record<string, { content?: Content } | undefined>,
 * }} Operation
 */

const PREFIX = '/api/v1';
const DIRECTORY = 'web/src/api/generated';
const BANNER = '// Generated from openapi.json by `npm run web:types`. Do not edit.\n\n';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const TYPES = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' };
const LIMITS = /** @type {const} */ ([
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
]);

/** @type {(text: string) => string} */
const indent = (text) => text.replaceAll(/^(?=.)/gm, '  ');
/** @type {(entries: readonly string[]) => string} */
const block = (entries) => (entries.length === 0 ? '{}' : `{\n${indent(entries.join('\n'))}\n}`);
/** @type {(text: string | undefined) => string} */
const comment = (text) => (text === undefined ? '' : `/** ${text} */\n`);
/** @type {(name: string) => string} */
const key = (name) => (/^\w+$/.test(name) ? name : `'${name}'`);

/** @type {(schema: Schema) => string} */
function typeOf(schema) {
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ');
  if (schema.type === undefined) {
    if (Object.keys(schema).length > 0) throw new Error(`unsupported schema: ${JSON.stringify(schema)}`);
    return 'unknown';
  }
  return [schema.type]
    .flat()
    .map((type) => namedType(type, schema))
    .join(' | ');
}

/** @type {(type: string, schema: Schema) => string} */
function namedType(type, schema) {
  if (type === 'object') return objectType(schema);
  if (type === 'array') {
    const item = typeOf(schema.items ?? {});
    return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
  }
  const name = Object.entries(TYPES).find(([known]) => known === type)?.[1];
  if (name === undefined) throw new Error(`unsupported type: ${type}`);
  return name;
}

/** @type {(schema: Schema) => string} */
function objectType({ properties, required = [], additionalProperties }) {
  if (!properties && typeof additionalProperties === 'object')
    return `Record<string, ${typeOf(additionalProperties)}>`;
  return block(
    Object.entries(properties ?? {}).map(
      ([name, schema]) =>
        `${comment(schema.description)}${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};`,
    ),
  );
}

/** The limits of a schema and of everything inside it, as a literal; undefined if it has none.
 * @type {(schema: Schema) => string | undefined}
 */
function limitsOf(schema) {
  const alternatives = [schema, ...(schema.anyOf ?? [])];
  const own = LIMITS.flatMap((name) =>
    alternatives.flatMap((each) => (each[name] === undefined ? [] : [`${name}: ${each[name]},`])),
  );
  /** @type {[string, Schema][]} */
  const inner = alternatives.flatMap(({ properties = {} }) => Object.entries(properties));
  for (const { items, additionalProperties } of alternatives) {
    if (items) inner.push(['items', items]);
    if (typeof additionalProperties === 'object') inner.push(['values', additionalProperties]);
  }
  const entries = inner.flatMap(([name, each]) => {
    const limits = limitsOf(each);
    return limits === undefined ? [] : [`${key(name)}: ${limits},`];
  });
  if (entries.length > 0) return block([...own, ...entries]);
  return own.length === 0 ? undefined : `{ ${own.join(' ').slice(0, -1)} }`;
}

/** @type {(operation: Operation) => Schema | undefined} */
const bodyOf = ({ requestBody }) => requestBody?.content['application/json']?.schema;

/** @type {(operation: Operation) => Schema | undefined} */
function queryOf({ parameters = [] }) {
  const query = parameters.filter((each) => each.in === 'query');
  if (query.length === 0) return undefined;
  return {
    type: 'object',
    properties: Object.fromEntries(
      query.map(({ name, schema, description }) => [name, description ? { ...schema, description } : schema]),
    ),
    required: query.filter((each) => each.required).map(({ name }) => name),
  };
}

/** @type {(operation: Operation) => Schema | undefined} */
const responseOf = ({ responses }) =>
  (responses['200'] ?? responses['201'] ?? responses['202'])?.content?.['application/json']?.schema;

/** @type {(operation: Operation) => boolean} */
const isJson = (operation) => responseOf(operation) !== undefined || operation.responses['204'] !== undefined;

/** @type {{ paths: Record<string, Record<string, Operation>> }} */
const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8'));
const operations = Object.entries(paths).flatMap(([path, byMethod]) =>
  path.startsWith(PREFIX)
    ? Object.entries(byMethod).map(([method, operation]) => ({
        path: path.slice(PREFIX.length),
        method,
        operation,
      }))
    : [],
);

function typesFile() {
  const byMethod = METHODS.map((method) => {
    const calls = operations.filter((each) => each.method === method && isJson(each.operation));
    const entries = calls.map(({ path, operation }) => {
      const parts = { query: queryOf(operation), body: bodyOf(operation), response: responseOf(operation) };
      const members = Object.entries(parts).map(
        ([name, schema]) => `${name}: ${schema ? typeOf(schema) : 'undefined'};`,
      );
      return `${comment(operation.summary)}'${path}': ${block(members)};`;
    });
    return `${method}: ${block(entries)};`;
  });
  return `${BANNER}/** Every JSON call of the API by method and path; paths are relative to \`${PREFIX}\`. */\nexport interface Operations ${block(byMethod)}\n`;
}

function limitsFile() {
  const constants = operations.flatMap(({ operation }) => {
    const parts = Object.entries({ query: queryOf(operation), body: bodyOf(operation) }).flatMap(
      ([name, schema]) => {
        const limits = schema && limitsOf(schema);
        return limits === undefined ? [] : [`${name}: ${limits},`];
      },
    );
    return parts.length === 0
      ? []
      : [`export const ${operation.operationId}Limits = ${block(parts)} as const;\n`];
  });
  return BANNER + constants.join('\n');
}

const files = [
  { path: `${DIRECTORY}/operations.ts`, text: typesFile() },
  { path: `${DIRECTORY}/limits.ts`, text: limitsFile() },
];

if (process.argv.includes('--check')) {
  for (const { path, text } of files) {
    if (readFileSync(path, 'utf8') === text) continue;
    process.stderr.write(`${path} is stale: run npm run web:types\n`);
    process.exitCode = 1;
  }
} else {
  mkdirSync(DIRECTORY, { recursive: true });
  for (const { path, text } of files) writeFileSync(path, text);
}
