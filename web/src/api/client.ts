import { type Problem, readProblem, ConnectionError } from './problem.js';
import { updateServerClock } from './server-time.js';
import type { ResponseOf, BodyOf, Method, ParamsOf, PathOf, QueryOf } from './types.js';

const API_PREFIX = '/api/v1';
const TIMEOUT_MS = 15_000;
/** Of calls with a password: in a rush of sign-ins they wait for up to 50 s on the server. */
export const PASSWORD_TIMEOUT_MS = 60_000;

export interface RequestOptions {
  /** The bearer token: an access token or a queue token. */
  readonly token?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The same for every retry of one user action. */
  readonly idempotencyKey?: string | undefined;
  /** If the token is refused, do not report the problem: the user stays signed in. */
  readonly keepsSession?: boolean | undefined;
  /** Null: no timeout. */
  readonly timeoutMs?: number | null | undefined;
}

type WithParams<Path extends string> = keyof ParamsOf<Path> extends never
  ? { readonly params?: undefined }
  : { readonly params: ParamsOf<Path> };

type WithBody<Body> = [Body] extends [undefined] ? { readonly body?: undefined } : { readonly body: Body };

export type CallOptions<M extends Method, Path extends PathOf<M>> = RequestOptions &
  WithParams<Path> &
  WithBody<BodyOf<M, Path>> & { readonly query?: QueryOf<M, Path> };

/** The options argument is optional if the call requires none of them. */
type CallArguments<M extends Method, Path extends PathOf<M>> =
  RequestOptions extends CallOptions<M, Path>
    ? [options?: CallOptions<M, Path>]
    : [options: CallOptions<M, Path>];

export function newIdempotencyKey(): string {
  // Not `randomUUID`: browsers have it only with TLS, and a venue may serve the pages without.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The URL of an API path: parameters in braces filled in, the query appended. */
export function urlOf(path: string, params: Readonly<Record<string, string>> = {}, query?: unknown): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (typeof value === 'string') search.set(name, value);
  return `${API_PREFIX}${filled}${search.size > 0 ? `?${search.toString()}` : ''}`;
}

type Listener = (problem: Problem, token: string | undefined) => void;
const listeners = new Set<Listener>();

/** Subscribes to the refusals of all calls except those with `keepsSession`; returns the function that unsubscribes. */
export function onProblem(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function emitProblem(problem: Problem, token: string | undefined): void {
  for (const listener of listeners) listener(problem, token);
}

/** `fetch` that throws a `Problem` for a refusal, a `ConnectionError` without a response, and rethrows an abort. */
export async function request(url: string, init: RequestInit, options: RequestOptions): Promise<Response> {
  const { token, signal, idempotencyKey, keepsSession = false, timeoutMs = TIMEOUT_MS } = options;
  const headers = new Headers(init.headers);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
  const timeout = timeoutMs === null ? undefined : AbortSignal.timeout(timeoutMs);
  const signals = [signal, timeout].filter((each) => each !== undefined);
  const sentAtMs = Date.now();
  let response: Response;
  try {
    response = await fetch(url, { ...init, headers, signal: AbortSignal.any(signals) });
  } catch (error) {
    // Aborted by the caller: not a failure.
    if (signal?.aborted === true) throw error;
    throw new ConnectionError(timeout?.aborted === true);
  }
  updateServerClock(response, sentAtMs);
  if (response.ok) return response;
  const problem = await readProblem(response);
  if (!keepsSession) emitProblem(problem, token);
  throw problem;
}

interface AnyCallOptions extends RequestOptions {
  readonly params?: object | undefined;
  readonly body?: unknown;
  readonly query?: unknown;
}

async function call<M extends Method, Path extends PathOf<M>>(
  method: M,
  path: Path,
  options: AnyCallOptions = {},
): Promise<ResponseOf<M, Path>> {
  const { params, body, query, ...common } = options;
  const url = urlOf(path, { ...params }, query);
  const json =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await request(url, { method: method.toUpperCase(), ...json }, common);
  try {
    // Unchecked cast: the server validates its responses against the same openapi.json that these types come from.
    return (response.status === 204 ? undefined : await response.json()) as ResponseOf<M, Path>;
  } catch (error) {
    if (common.signal?.aborted === true) throw error;
    throw new ConnectionError(false);
  }
}

/** Typed calls of the API by their OpenAPI paths. */
export const api = {
  get: <Path extends PathOf<'get'>>(path: Path, ...[options]: CallArguments<'get', Path>) =>
    call('get', path, options),
  post: <Path extends PathOf<'post'>>(path: Path, ...[options]: CallArguments<'post', Path>) =>
    call('post', path, options),
  patch: <Path extends PathOf<'patch'>>(path: Path, ...[options]: CallArguments<'patch', Path>) =>
    call('patch', path, options),
  del: <Path extends PathOf<'delete'>>(path: Path, ...[options]: CallArguments<'delete', Path>) =>
    call('delete', path, options),
};
