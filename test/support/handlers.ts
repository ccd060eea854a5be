import { Refusal } from '../../src/kernel/refusal.js';
import type { App, Routes } from '../../src/platform/web/index.js';

/** The response of a call, or the refusal that it threw. */
export interface Outcome {
  readonly status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as in `Answer`
  readonly body: any;
}

type Handler = (request: unknown, reply: unknown) => Promise<unknown>;

/** Calls route handlers directly, without HTTP, with the parts of request and reply that they use. */
export function callHandlers(...modules: readonly Routes[]) {
  const handlers = new Map<string, Handler>();
  const add = (method: string) => (path: string, _options: unknown, handler: Handler) => {
    handlers.set(`${method} ${path}`, handler);
  };
  const app = {
    get: add('GET'),
    post: add('POST'),
    put: add('PUT'),
    patch: add('PATCH'),
    delete: add('DELETE'),
    addContentTypeParser: () => undefined,
    removeAllContentTypeParsers: () => undefined,
    register: (scope: (app: unknown, options: object, done: () => void) => void) => {
      scope(app, {}, () => undefined);
    },
  };
  for (const addRoutes of modules) addRoutes(app as unknown as App);

  return (route: string, token: string, request: object = {}): Promise<Outcome> =>
    outcomeOf(async () => {
      const reply = new ReplyStub();
      const headers = { authorization: `Bearer ${token}` };
      const answer = await handlers.get(route)?.({ headers, raw: { headers }, ...request }, reply);
      return answer === reply ? reply : { status: 200, body: answer };
    });
}

class ReplyStub implements Outcome {
  readonly routeOptions = { config: {} };
  status = 200;
  body: unknown;

  code(status: number): this {
    this.status = status;
    return this;
  }

  header(): this {
    return this;
  }

  type(): this {
    return this;
  }

  serialize(body: unknown): string {
    return JSON.stringify(body);
  }

  send(body?: unknown): this {
    this.body = body;
    return this;
  }
}

export async function outcomeOf(call: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: 403, body: { code: error.code, ...error.extra } };
  }
}
