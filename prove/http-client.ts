import { Agent, request as httpRequest } from 'node:http';
import type { ApiRequest } from './call-log.js';

/** Longer than any injected stall; a request without a response by then has an unknown outcome. */
const RESPONSE_MAX_MS = 6000;
const SOCKETS_MAX = 128;

export interface HttpResponse {
  readonly status: number;
  readonly text: string;
  /** Empty without this header. */
  readonly retryAfter: string;
}

/** Sends requests to one process, through the proxy in front of it. */
export interface HttpClient {
  /** Undefined when no complete response arrived, for whatever reason. */
  send(request: ApiRequest): Promise<HttpResponse | undefined>;
  close(): void;
}

export function createHttpClient(port: number): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX });
  return {
    send: ({ method, path, token, body, key }) =>
      new Promise((resolve) => {
        const payload = body === undefined ? undefined : JSON.stringify(body);
        const sent = httpRequest({
          agent,
          host: '127.0.0.1',
          port,
          method,
          path: `/api/v1${path}`,
          headers: {
            authorization: `Bearer ${token}`,
            ...(payload === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
            ...(key === undefined ? {} : { 'idempotency-key': key }),
          },
          signal: AbortSignal.timeout(RESPONSE_MAX_MS),
        });
        const fail = (): void => {
          resolve(undefined);
        };
        sent.on('error', fail);
        sent.on('response', (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => (text += chunk));
          response.on('error', fail);
          // A truncated body counts as no response.
          response.on('close', () => {
            const { statusCode: status = 0, headers } = response;
            const retryAfter = headers['retry-after'] ?? '';
            resolve(response.complete ? { status, text, retryAfter } : undefined);
          });
        });
        sent.end(payload);
      }),
    close: () => {
      agent.destroy();
    },
  };
}
