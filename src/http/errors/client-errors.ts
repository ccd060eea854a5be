import { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError } from 'fastify';
import { PROBLEM_TYPE, toProblem } from './problems.js';

/** The server has no code of its own for this one: the status says it. */
const HEADERS_TOO_LARGE = {
  status: 431,
  title: 'Request Header Fields Too Large',
  detail: 'The headers of the request are larger than this server accepts.',
};
const MALFORMED = { errors: ['request must be HTTP/1.1'] };

function problemOf(code: string) {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return toProblem({ code: 'REQUEST_TIMEOUT', extra: {} });
  if (code === 'HPE_HEADER_OVERFLOW')
    return { ...toProblem({ code: 'INVALID_REQUEST', extra: {} }), ...HEADERS_TOO_LARGE };
  return toProblem({ code: 'INVALID_REQUEST', extra: MALFORMED });
}

/** Whether an answer is on its way through this socket: more text would corrupt it. */
function isAnswering(socket: Socket): boolean {
  const response: unknown = Reflect.get(socket, '_httpMessage');
  return response instanceof ServerResponse && response.headersSent;
}

/** Answers what never became a request: malformed HTTP, too many headers, too slow. */
export function answerClientError({ code }: ConnectionError, socket: Socket): void {
  if (code !== 'ECONNRESET' && socket.writable && !isAnswering(socket)) {
    const problem = problemOf(code);
    const body = JSON.stringify(problem);
    socket.write(
      `HTTP/1.1 ${problem.status} ${problem.title}\r\n` +
        `Content-Type: ${PROBLEM_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `Cache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
    );
  }
  socket.destroy();
}
