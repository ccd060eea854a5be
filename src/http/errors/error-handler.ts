import type { FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify';
import { invalidBody } from '../../kernel/fault-list.js';
import { Refusal, type RefusalCode } from '../../kernel/refusal.js';
import { StoreUnavailable } from '../../platform/sql/index.js';
import type { App } from '../../platform/web/index.js';
import { closeSlowly } from '../requests/close-slowly.js';
import { findBodyFaults } from './body-faults.js';
import { faultMessage, frameworkMessage, toFaults } from './validation-messages.js';
import { PROBLEM_TYPE, problemHeaders, PROBLEMS, toProblem } from './problems.js';

/** Fastify errors with their own refusal code; every other 4xx error is an `INVALID_REQUEST`. */
const FRAMEWORK_REFUSALS: Readonly<Record<string, RefusalCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
};

function sendProblem(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const problem = toProblem(refusal);
  reply.routeOptions.config.countRefusal?.(refusal.code);
  return (
    reply
      .code(problem.status)
      .headers(problemHeaders(problem))
      // Overrides the caching of the route: errors are never cached.
      .header('cache-control', 'no-store')
      .type(PROBLEM_TYPE)
      .send(JSON.stringify(problem))
  );
}

/** Turns anything thrown into a problem response. Unexpected errors are logged and never shown to the client. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof Error && isInvalid(error)) {
    toInvalidRequest(error, request).then(
      (refusal) => sendProblem(reply, refusal),
      (unexpected: unknown) => {
        respond(unexpected, request, reply);
      },
    );
    return;
  }
  respond(error, request, reply);
}

function respond(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = toRefusal(error);
  // The rest of the body is still arriving.
  if (refusal && PROBLEMS[refusal.code].status === 413) closeSlowly(request.raw.socket);
  if (refusal) {
    if (refusal !== error && refusal.code === 'UNAVAILABLE')
      request.log.error({ reqId: request.id, err: error }, 'store unavailable');
    sendProblem(reply, refusal);
    return;
  }
  request.log.error({ reqId: request.id, err: error }, 'request failed');
  sendProblem(reply, new Refusal('INTERNAL_ERROR', { requestId: request.id }));
}

function toRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (error instanceof StoreUnavailable) return new Refusal('UNAVAILABLE');
  return error instanceof Error ? frameworkRefusal(error) : undefined;
}

interface FrameworkError extends Error {
  readonly code?: string;
  readonly statusCode?: number;
  readonly validation?: readonly FastifySchemaValidationError[];
  readonly validationContext?: string;
}

interface InvalidRequest extends FrameworkError {
  readonly validation: readonly FastifySchemaValidationError[];
}

const isInvalid = (error: FrameworkError): error is InvalidRequest => error.validation !== undefined;

/** A part of the request violates its schema. Of a body, the problem lists every fault with its path. */
async function toInvalidRequest(error: InvalidRequest, request: FastifyRequest): Promise<Refusal> {
  const { validation, validationContext: part = 'request' } = error;
  const [first = { path: '', rule: 'is not valid' }] = toFaults(validation);
  if (part !== 'body') return new Refusal('INVALID_REQUEST', { errors: [faultMessage(part, first)] });
  return invalidBody(await findBodyFaults(request.routeOptions, request.body, first));
}

function frameworkRefusal(error: FrameworkError): Refusal | undefined {
  const { code = '', statusCode = 0 } = error;
  const refusalCode = FRAMEWORK_REFUSALS[code];
  if (refusalCode) return new Refusal(refusalCode);
  if (statusCode < 400 || statusCode > 499) return undefined;
  const message = frameworkMessage(code);
  return new Refusal('INVALID_REQUEST', message === undefined ? {} : { errors: [message] });
}

/** 404 for an unknown path; 405 with the `Allow` header for a known path with another method. */
export function answerNotFound(app: App, request: FastifyRequest, reply: FastifyReply): RefusalCode {
  const allowed = app.supportedMethods.filter((method) => findRoute(app, method, request.url) !== null);
  const code = allowed.length === 0 ? 'NOT_FOUND' : 'METHOD_NOT_ALLOWED';
  if (allowed.length > 0) reply.header('allow', allowed.sort().join(', '));
  sendProblem(reply, new Refusal(code));
  return code;
}

const findRoute = (app: App, method: string, url: string): object | null => app.findRoute({ method, url });
