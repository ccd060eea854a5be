import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Histogram } from '../../platform/metrics/index.js';
import { SECOND_MS } from '../../kernel/time.js';
import { tokenOf } from './identify-caller.js';
import { SECURITY_HEADERS } from '../security-headers.js';
import type { Next } from './request-barrier.js';

/** One call that is asked so often that it is answered before the framework has looked at it. */
export interface FastPath {
  /** Below `/api/v1`. */
  readonly path: string;
  /** The body of a 200, for whoever has this token; undefined when the route must say. */
  answer(token: string): object | undefined;
}

const HEADERS = Object.entries({
  ...SECURITY_HEADERS,
  'content-type': 'application/json; charset=utf-8',
}).flat();

/**
 * Answers where memory alone can, and hands everything else to the routes: what is refused, has a body, or must wait. The
 * route of the same address answers the same, only not as fast.
 */
export function pollFastPath(
  { answer }: FastPath,
  deps: {
    /** The whole address: what has anything else in it is no such call. */
    readonly url: string;
    readonly isOpen: () => boolean;
    readonly afterBarrier: (next: Next) => void;
    /** Told of a request that goes on to the routes after its turn: it need not wait for another. */
    readonly passedBarrier: (request: IncomingMessage, error: Error | undefined) => void;
    readonly duration: Histogram;
  },
  routes: RequestListener,
): RequestListener {
  const { url, isOpen, afterBarrier, passedBarrier, duration } = deps;

  function isAnswered(request: IncomingMessage, response: ServerResponse, startedMs: number): boolean {
    const { authorization } = request.headers;
    const token = authorization === undefined ? undefined : tokenOf(authorization);
    const body = token === undefined ? undefined : answer(token);
    if (!body) return false;
    const text = JSON.stringify(body);
    const bytes = Buffer.byteLength(text);
    response.writeHead(200, [...HEADERS, 'content-length', String(bytes)]);
    // Where each character is one byte they need not be looked at one by one.
    response.end(text, bytes === text.length ? 'latin1' : 'utf8');
    duration.observe((performance.now() - startedMs) / SECOND_MS);
    return true;
  }

  const isExpress = ({ url: asked, method, headers }: IncomingMessage, response: ServerResponse): boolean =>
    asked === url &&
    method === 'GET' &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    // Whoever sends ahead is counted by the routes.
    response.socket !== null &&
    isOpen();

  return (request, response) => {
    if (!isExpress(request, response)) {
      routes(request, response);
      return;
    }
    const startedMs = performance.now();
    afterBarrier((error) => {
      if (!error && isAnswered(request, response, startedMs)) return;
      passedBarrier(request, error);
      routes(request, response);
    });
  };
}
