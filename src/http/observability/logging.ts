import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';
import { SECOND_MS } from '../../kernel/time.js';
import { pathOf } from '../url.js';

const SLOW_MS = SECOND_MS;
/** Never written, wherever in a logged object they stand. */
const SECRETS = ['accessToken', 'authorization', 'cookie', 'password', 'token'];

export interface LogOptions {
  readonly level: string;
  /** Where the lines go; standard output unless told. */
  readonly stream?: DestinationStream;
}

export function createLogger({ level, stream }: LogOptions): Logger {
  return pino(
    {
      level,
      redact: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
      serializers: {
        // A query string may carry what must not be kept.
        req: ({ id, method, url }: FastifyRequest) => ({ id, method, path: pathOf(url) }),
        res: ({ statusCode }: FastifyReply) => ({ statusCode }),
      },
    },
    stream ?? standardOutput(),
  );
}

/** For as long as somebody reads it: a log that nobody takes any more must neither stop a sale nor keep it from ending. */
function standardOutput(): DestinationStream {
  process.stdout.on('error', () => undefined);
  return { write: (line) => void process.stdout.write(line) };
}

export type RequestLog = (request: FastifyRequest, reply: FastifyReply, route: string, ms: number) => void;

/** One line a request, and only when there is something to say. */
export function createRequestLog(logger: Logger): RequestLog {
  const isVerbose = logger.isLevelEnabled('debug');
  return ({ id, method }, { statusCode }, route, ms) => {
    const isSlow = ms > SLOW_MS;
    if (statusCode < 500 && !isSlow && !isVerbose) return;
    const line = { reqId: id, method, route, status: statusCode, ms: Math.round(ms) };
    if (statusCode >= 500) logger.error(line, 'request failed');
    else if (isSlow) logger.warn(line, 'slow request');
    else logger.debug(line, 'request');
  };
}
