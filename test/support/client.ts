/** `body` is the parsed `text` if the response is JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Tests read arbitrary members; a wrong shape fails the expectation.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

export interface CallOptions {
  readonly token?: string | undefined;
  readonly body?: unknown;
  /** Sent unchanged instead of `body`. */
  readonly raw?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT';

/** Calls the API under `/api/v1`. With several servers each call goes to the next one. */
export interface Client {
  call(method: Method, path: string, options?: CallOptions): Promise<Answer>;
  get(path: string, token?: string): Promise<Answer>;
  post(path: string, token: string | undefined, body?: unknown, key?: string): Promise<Answer>;
  delete(path: string, token?: string): Promise<Answer>;
}

export function createClient(...urls: readonly string[]): Client {
  let next = 0;
  async function call(method: Method, path: string, options: CallOptions = {}): Promise<Answer> {
    const url = urls[next++ % urls.length] ?? '';
    const { token, key } = options;
    const payload = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...options.headers,
      },
      ...(payload === undefined ? {} : { body: payload }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
  }
  return {
    call,
    get: (path, token) => call('GET', path, { token }),
    post: (path, token, body, key) =>
      call('POST', path, { token, body, ...(key === undefined ? {} : { key }) }),
    delete: (path, token) => call('DELETE', path, { token }),
  };
}
