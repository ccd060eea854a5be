import { Agent, request as httpRequest } from 'node:http';
import type { Wish } from './record.js';

/** Longer than a database that stalls; after that nobody waits for an answer. */
const ANSWER_MAX_MS = 6000;
const SOCKETS_MAX = 128;

export interface Reply {
  readonly status: number;
  readonly text: string;
}

/** The way to one of the processes. */
export interface Door {
  /** Undefined when no whole answer came, for whatever reason. */
  send(wish: Wish): Promise<Reply | undefined>;
  close(): void;
}

export function openDoor(port: number): Door {
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
          signal: AbortSignal.timeout(ANSWER_MAX_MS),
        });
        const lost = (): void => {
          resolve(undefined);
        };
        sent.on('error', lost);
        sent.on('response', (answer) => {
          let text = '';
          answer.setEncoding('utf8');
          answer.on('data', (piece: string) => (text += piece));
          answer.on('error', lost);
          // A body that was cut off is no answer.
          answer.on('close', () => {
            resolve(answer.complete ? { status: answer.statusCode ?? 0, text } : undefined);
          });
        });
        sent.end(payload);
      }),
    close: () => {
      agent.destroy();
    },
  };
}
