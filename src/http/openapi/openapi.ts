import { readFileSync } from 'node:fs';
import swagger from '@fastify/swagger';
import type { FastifySchema } from 'fastify';
import { assert } from '../../kernel/assert.js';
import { packagePath } from '../../platform/runtime/index.js';
import type { App } from '../../platform/web/index.js';
import { describeOperation, PROBLEM_SCHEMA } from './operation.js';

const PACKAGE_FILE = packagePath('package.json');

function readPackage(): { version: string; description: string } {
  const text: unknown = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8'));
  const { version, description } = Object(text) as Record<string, unknown>;
  assert(
    typeof version === 'string' && typeof description === 'string',
    'package.json needs a version and a description',
  );
  return { version, description };
}

const HIDDEN: FastifySchema = { hide: true };

const SECURITY_SCHEMES = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT (typ: access+jwt)',
    description: 'Speaks for an account. From signing up or signing in.',
  },
  queueToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT (typ: queue+jwt)',
    description: "Speaks for an account and its place in one concert's waiting room. From joining that room.",
  },
} as const;

/** Describes every route that is added later, and serves the description at `/openapi.json`. */
export function describeApi(app: App): void {
  const { version, description } = readPackage();
  app.addSchema(PROBLEM_SCHEMA);
  void app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Foyer', version, description },
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    transform: describeOperation,
    refResolver: {
      buildLocalReference: ({ $id }, _uri, _fragment, index) =>
        typeof $id === 'string' ? $id : `schema-${index}`,
    },
  });
  void app.register((scope: App, _options, done) => {
    let document: string | undefined;
    scope.get('/openapi.json', { schema: HIDDEN }, (_request, reply) => {
      document ??= JSON.stringify(app.swagger());
      return reply.type('application/json; charset=utf-8').send(document);
    });
    done();
  });
}
