import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Method } from '../client.js';

/** A call listed in openapi.json, with everything needed to send it. */
export interface Operation {
  readonly name: string;
  readonly method: Method;
  /** The path below `/api/v1`, with random ids that do not exist. */
  readonly path: string;
  /** A valid body. */
  readonly body: unknown;
  readonly acceptsAccessToken: boolean;
  readonly acceptsQueueToken: boolean;
  readonly isOperatorOnly: boolean;
}

interface OpenApiOperation {
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: unknown;
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
}

const PREFIX = '/api/v1';
const STARTS_AT = '2099-01-01T10:00:00.000Z';

/** Valid bodies, so that a call is not refused by its schema. */
const VALID_BODIES: Readonly<Record<string, () => unknown>> = {
  'POST /users': () => ({
    email: `${randomUUID()}@fans.example`,
    password: 'fan-password',
    name: 'Fan',
  }),
  'POST /sessions': () => ({ email: 'nobody@fans.example', password: 'fan-password' }),
  'POST /users/me/password': () => ({ currentPassword: 'fan-password', newPassword: 'other-password' }),
  'DELETE /users/me': () => ({ password: 'not-the-password' }),
  'POST /password-resets': () => ({ email: `${randomUUID()}@fans.example` }),
  'POST /password-resets/{token}': () => ({ newPassword: 'fan-password' }),
  'POST /email-verifications': () => undefined,
  'POST /email-verifications/{token}': () => undefined,
  'POST /concerts/{concertId}/queue-tokens': () => undefined,
  'POST /wallet/charges': () => ({ amount: 1 }),
  'POST /reservations': () => ({ scheduleId: randomUUID(), seatIds: [randomUUID()] }),
  'POST /reservations/best': () => ({ scheduleId: randomUUID(), count: 1 }),
  'POST /payments': () => ({ reservationId: randomUUID() }),
  'POST /operator/payments/{id}/refund': () => undefined,
  'POST /operator/operators': () => ({ email: `${randomUUID()}@staff.example`, name: 'Mine' }),
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
  // Raw bytes: test/conformance/posters.test.ts.
  'PUT /operator/concerts/{id}/poster': () => undefined,
  'POST /operator/concerts/{id}/publish': () => undefined,
  'POST /operator/concerts/{id}/duplicate': () => ({ shiftDays: 1 }),
};

/**
 * Every call of openapi.json, so that the attack tests cover new calls automatically. A new call with a body fails here
 * until `VALID_BODIES` has a body for it.
 */
export function operations(): Operation[] {
  const file = fileURLToPath(new URL('../../../openapi.json', import.meta.url));
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument;
  return Object.entries(paths)
    .filter(([path]) => path.startsWith(PREFIX))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) =>
        toOperation(method.toUpperCase() as Method, path.slice(PREFIX.length), described),
      ),
    );
}

function toOperation(
  method: Method,
  path: string,
  { security = [], requestBody }: OpenApiOperation,
): Operation {
  const name = `${method} ${path}`;
  const makeBody = VALID_BODIES[name];
  if (requestBody !== undefined && !makeBody) throw new Error(`add a body for ${name} to VALID_BODIES`);
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
