import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';
import { SECOND_MS } from '../../kernel/time.js';
import { pathOf } from '../url.js';

const SLOW_MS = SECOND_MS;
/** Fields that are redacted at up to three levels of a logged object. */
const REDACTED_FIELDS = ['accessToken', 'authorization', 'cookie', 'password', 'token'];

export interface LogOptions {
  readonly level: string;
  /** Default: standard output. */
  readonly stream?: DestinationStream;
}

export function createLogger({ level, stream }: LogOptions): Logger {
  return pino(
    {
      level,
      redact: REDACTED_FIELDS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
      serializers: {
        // Query strings can contain secrets: log the path only.
        req: ({ id, method, url }: FastifyRequest) => ({ id, method, path: pathOf(url) }),
        res: ({ statusCode }: FastifyReply) => ({ statusCode }),
      },
    },
    stream ?? standardOutput(),
  );
}

/** Ignores write errors: a closed log pipe must neither stop a sale nor block a shutdown. */
function standardOutput(): DestinationStream {
  process.stdout.on('error', () => undefined);
  return { write: (line) => void process.stdout.write(line) };
}

export type RequestLog = (
  request: { readonly id: string; readonly method: string },
  reply: { readonly statusCode: number },
  route: string,
  ms: number,
) => void;

/** Writes at most one line per request: `request failed` for 5xx, `slow request`, or `request` at level debug. */
export function createRequestLog(logger: Logger): RequestLog {
  const isDebug = logger.isLevelEnabled('debug');
  return ({ id, method }, { statusCode }, route, ms) => {
    const isSlow = ms > SLOW_MS;
    if (statusCode < 500 && !isSlow && !isDebug) return;
    const line = { reqId: id, method, route, status: statusCode, ms: Math.round(ms) };
    if (statusCode >= 500) logger.error(line, 'request failed');
    else if (isSlow) logger.warn(line, 'slow request');
    else logger.debug(line, 'request');
  };
}
