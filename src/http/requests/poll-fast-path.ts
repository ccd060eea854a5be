import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { SECOND_MS } from '../../kernel/time.js';
import type { Histogram } from '../../platform/metrics/index.js';
import type { RequestLog } from '../observability/logging.js';
import { SECURITY_HEADERS } from '../security-headers.js';
import { bearerToken } from './identify-caller.js';
import type { Next } from './request-barrier.js';

/** A GET call that is so frequent that it is answered before Fastify sees the request, if memory alone can answer it. */
export interface FastPath {
  /** Below `/api/v1`. */
  readonly path: string;
  /** The body of a 200 response to the owner of this token; undefined: the route must answer. */
  answer(token: string): object | undefined;
}

const HEADERS = Object.entries({
  ...SECURITY_HEADERS,
  'content-type': 'application/json; charset=utf-8',
}).flat();

/**
 * Wraps the request listener of the server. Everything that `answer` cannot answer goes to `routes`: refusals, requests with
 * a body, pipelined requests, requests during shutdown. The route of the same path must give the same answers. Metrics and
 * request log are the same on both paths.
 */
export function createFastPathListener(
  { answer }: FastPath,
  deps: {
    /** The complete URL. A request with a query string is not on the fast path. */
    readonly url: string;
    readonly isOpen: () => boolean;
    readonly afterBarrier: (next: Next) => void;
    /** Marks a request that continues to the routes after the barrier, so that it does not wait a second time. */
    readonly passedBarrier: (request: IncomingMessage, error: Error | undefined) => void;
    readonly duration: Histogram;
    readonly log: RequestLog;
    readonly nextRequestId: () => string;
  },
  routes: RequestListener,
): RequestListener {
  const { url, isOpen, afterBarrier, passedBarrier, duration, log, nextRequestId } = deps;

  function tryAnswer(request: IncomingMessage, response: ServerResponse, startedMs: number): boolean {
    const { authorization } = request.headers;
    const token = authorization === undefined ? undefined : bearerToken(authorization);
    const body = token === undefined ? undefined : answer(token);
    if (!body) return false;
    const text = JSON.stringify(body);
    response.writeHead(200, [...HEADERS, 'content-length', String(Buffer.byteLength(text))]);
    response.end(text);
    const ms = performance.now() - startedMs;
    duration.observe(ms / SECOND_MS);
    log({ id: nextRequestId(), method: 'GET' }, response, url, ms);
    return true;
  }

  const isEligible = (request: IncomingMessage, response: ServerResponse): boolean =>
    request.url === url &&
    request.method === 'GET' &&
    request.headers['content-length'] === undefined &&
    request.headers['transfer-encoding'] === undefined &&
    // Null for a pipelined request: the routes enforce the pipelining limit.
    response.socket !== null &&
    isOpen();

  return (request, response) => {
    if (!isEligible(request, response)) {
      routes(request, response);
      return;
    }
    const startedMs = performance.now();
    afterBarrier((error) => {
      if (!error && tryAnswer(request, response, startedMs)) return;
      passedBarrier(request, error);
      routes(request, response);
    });
  };
}
