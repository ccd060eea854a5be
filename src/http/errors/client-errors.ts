import { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';
import { PROBLEM_TYPE, toProblem } from './problems.js';

/** The code stays INVALID_REQUEST; status and texts are specific. */
const HEADERS_TOO_LARGE = {
  status: 431,
  title: 'Request Header Fields Too Large',
  detail: 'The headers of the request are larger than this server accepts.',
};
const MALFORMED = { errors: ['request must be HTTP/1.1'] };

function toClientProblem(code: string) {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return toProblem({ code: 'REQUEST_TIMEOUT', extra: {} });
  if (code === 'HPE_HEADER_OVERFLOW')
    return { ...toProblem({ code: 'INVALID_REQUEST', extra: {} }), ...HEADERS_TOO_LARGE };
  return toProblem({ code: 'INVALID_REQUEST', extra: MALFORMED });
}

/** Whether a response is being written to this socket: more text would corrupt it. */
function isResponding(socket: Socket): boolean {
  const response: unknown = Reflect.get(socket, '_httpMessage');
  return response instanceof ServerResponse && response.headersSent;
}

/** Responds to input that never became a request: malformed HTTP, headers too large, request timeout. */
export function answerClientError({ code }: ConnectionError, socket: Socket): void {
  if (code !== 'ECONNRESET' && socket.writable && !isResponding(socket)) {
    const problem = toClientProblem(code);
    const body = JSON.stringify(problem);
    socket.write(
      `HTTP/1.1 ${problem.status} ${problem.title}\r\n` +
        `Content-Type: ${PROBLEM_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `Cache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
    );
  }
  socket.destroy();
}
