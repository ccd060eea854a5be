import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Method } from '../client.js';

/** A call that the API's own description names, ready to be made. */
export interface Operation {
  readonly name: string;
  readonly method: Method;
  /** Below `/api/v1`, with an id that nothing has. */
  readonly path: string;
  /** What a well-meaning client would send. */
  readonly body: unknown;
  readonly acceptsAccessToken: boolean;
  readonly acceptsQueueToken: boolean;
  readonly isOperatorOnly: boolean;
}

interface Described {
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: unknown;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

const PREFIX = '/api/v1';
const STARTS_AT = '2099-01-01T10:00:00.000Z';

/** Bodies that are in order, so that whatever refuses the call is not the schema. */
const BODIES: Readonly<Record<string, () => unknown>> = {
  'POST /users': () => ({
    email: `${randomUUID()}@fans.example`,
    password: 'fan-password',
    name: 'Fan',
  }),
  'POST /sessions': () => ({ email: 'nobody@fans.example', password: 'fan-password' }),
  'POST /concerts/{concertId}/queue-tokens': () => undefined,
  'POST /wallet/charges': () => ({ amount: 1 }),
  'POST /reservations': () => ({ scheduleId: randomUUID(), seatIds: [randomUUID()] }),
  'POST /reservations/best': () => ({ scheduleId: randomUUID(), count: 1 }),
  'POST /payments': () => ({ reservationId: randomUUID() }),
  'POST /operator/payments/{id}/refund': () => undefined,
  'POST /operator/concerts': () => ({
    title: 'T',
    venue: 'V',
    schedules: [
      {
        startsAt: STARTS_AT,
        sections: [{ name: 'A', rows: 1, seatsPerRow: 1, grade: 'R', price: 1 }],
      },
    ],
  }),
  'PATCH /operator/concerts/{id}': () => ({ title: 'Mine now' }),
  'PATCH /operator/concerts/{id}/waiting-room': () => ({ paused: true }),
  'POST /operator/concerts/{id}/duplicate': () => ({ shiftDays: 1 }),
};

/**
 * Every call of openapi.json. Made from the document, so that an attack is tried on a new call without anybody
 * remembering it; one with a body must be given one above, or this fails.
 */
export function operations(): Operation[] {
  const file = fileURLToPath(new URL('../../../openapi.json', import.meta.url));
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as Document;
  return Object.entries(paths)
    .filter(([path]) => path.startsWith(PREFIX))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) =>
        toOperation(method.toUpperCase() as Method, path.slice(PREFIX.length), described),
      ),
    );
}

function toOperation(method: Method, path: string, { security = [], requestBody }: Described): Operation {
  const name = `${method} ${path}`;
  const makeBody = BODIES[name];
  if (requestBody !== undefined && !makeBody) throw new Error(`${name} needs a body to be attacked with`);
  return {
    name,
    method,
    path: path.replace(/\{\w+\}/g, randomUUID()),
    body: makeBody?.(),
    acceptsAccessToken: security.some((scheme) => 'accessToken' in scheme),
    acceptsQueueToken: security.some((scheme) => 'queueToken' in scheme),
    isOperatorOnly: path.startsWith('/operator/'),
  };
}
