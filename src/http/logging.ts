import { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';
import { SECOND_MS } from '../kernel/time.js';
import { isStreamed } from './observe.js';
import { pathOf } from './url.js';

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
    stream ?? pino.destination(1),
  );
}

/**
 * Fastify asks its logger for a child at each request. That costs 7 µs, most of it in redacting the request's id, and
 * hardly any request logs anything: so this one gives itself, and what is logged about a request names its `reqId`.
 * Only a route with a level of its own gets a child.
 */
export function sharedLogger(logger: Logger): FastifyBaseLogger {
  const shared: FastifyBaseLogger = logger.child({});
  shared.child = (bindings, options) =>
    options?.level === undefined ? shared : logger.child(bindings, options);
  return shared;
}

/** One line a request, once it has been answered, and only when there is something to say. */
export class RequestLog extends LogController {
  readonly #isVerbose: boolean;

  constructor(logger: Logger) {
    super();
    this.#isVerbose = logger.isLevelEnabled('debug');
  }

  override incomingRequest(): void {
    // Said when it is answered.
  }

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const { statusCode, elapsedTime } = reply;
    const isSlow = elapsedTime > SLOW_MS && !isStreamed(reply);
    if (statusCode < 500 && !isSlow && !error && !this.#isVerbose) return;
    const line = {
      reqId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: statusCode,
      ms: Math.round(elapsedTime),
    };
    if (statusCode >= 500) request.log.error(line, 'request failed');
    else if (error) request.log.warn({ ...line, err: error }, 'answer broken off');
    else if (isSlow) request.log.warn(line, 'slow request');
    else request.log.debug(line, 'request');
  }
}
