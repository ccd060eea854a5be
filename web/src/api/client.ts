import { type Problem, readProblem, Unreachable } from './problem.js';
import { learnServerTime } from './server-time.js';
import type { ResponseOf, BodyOf, Method, ParamsOf, PathOf, QueryOf } from './types.js';

const PREFIX = '/api/v1';
const TIMEOUT_MS = 15_000;

export interface CommonOptions {
  /** An access token or a queue token. */
  readonly token?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Made once for what the user meant once, and sent again with every retry. */
  readonly idempotencyKey?: string | undefined;
  /** A refusal of the credential is about this call only, not about who is signed in. */
  readonly isGated?: boolean | undefined;
  /** Null: as long as it takes. */
  readonly timeoutMs?: number | null | undefined;
}

type WithParams<Path extends string> = keyof ParamsOf<Path> extends never
  ? { readonly params?: undefined }
  : { readonly params: ParamsOf<Path> };

type WithBody<Body> = [Body] extends [undefined] ? { readonly body?: undefined } : { readonly body: Body };

export type CallOptions<M extends Method, Path extends PathOf<M>> = CommonOptions &
  WithParams<Path> &
  WithBody<BodyOf<M, Path>> & { readonly query?: QueryOf<M, Path> };

/** Options may be left out where none of them is needed. */
type Arguments<M extends Method, Path extends PathOf<M>> =
  CommonOptions extends CallOptions<M, Path>
    ? [options?: CallOptions<M, Path>]
    : [options: CallOptions<M, Path>];

/** A name for one thing that the user wants done once, however often it is sent. */
export function newKey(): string {
  // Not `randomUUID`: a venue's own network may serve the pages without TLS, where browsers do not have it.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** `/concerts/{id}` with its names filled in and its query appended. */
export function addressOf(
  path: string,
  params: Readonly<Record<string, string>> = {},
  query?: unknown,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (typeof value === 'string') search.set(name, value);
  return `${PREFIX}${filled}${search.size > 0 ? `?${search.toString()}` : ''}`;
}

type Listener = (problem: Problem, token: string | undefined) => void;
const listeners = new Set<Listener>();

/** Tells of every refusal, whoever asked; returns how to stop listening. */
export function onProblem(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tellProblem(problem: Problem, token: string | undefined): void {
  for (const listener of listeners) listener(problem, token);
}

/** `fetch` whose failures are told apart: a refusal, nobody there, or given up by the caller. */
export async function request(address: string, init: RequestInit, options: CommonOptions): Promise<Response> {
  const { token, signal, idempotencyKey, isGated = false, timeoutMs = TIMEOUT_MS } = options;
  const headers = new Headers(init.headers);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
  const timeout = timeoutMs === null ? undefined : AbortSignal.timeout(timeoutMs);
  const signals = [signal, timeout].filter((each) => each !== undefined);
  const sentAtMs = Date.now();
  let answer: Response;
  try {
    answer = await fetch(address, { ...init, headers, signal: AbortSignal.any(signals) });
  } catch (error) {
    // Given up by whoever asked: that is no failure, and they do not listen any more.
    if (signal?.aborted === true) throw error;
    throw new Unreachable(timeout?.aborted === true);
  }
  learnServerTime(answer, sentAtMs);
  if (answer.ok) return answer;
  const problem = await readProblem(answer);
  if (!isGated) tellProblem(problem, token);
  throw problem;
}

interface LooseOptions extends CommonOptions {
  readonly params?: object | undefined;
  readonly body?: unknown;
  readonly query?: unknown;
}

async function call<M extends Method, Path extends PathOf<M>>(
  method: M,
  path: Path,
  options: LooseOptions = {},
): Promise<ResponseOf<M, Path>> {
  const { params, body, query, ...common } = options;
  const address = addressOf(path, { ...params }, query);
  const json =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const answer = await request(address, { method: method.toUpperCase(), ...json }, common);
  try {
    // The one place that trusts: the server checks its answers against the description these types are made from.
    return (answer.status === 204 ? undefined : await answer.json()) as ResponseOf<M, Path>;
  } catch (error) {
    if (common.signal?.aborted === true) throw error;
    throw new Unreachable(false);
  }
}

/** The API, by its OpenAPI paths. */
export const api = {
  get: <Path extends PathOf<'get'>>(path: Path, ...[options]: Arguments<'get', Path>) =>
    call('get', path, options),
  post: <Path extends PathOf<'post'>>(path: Path, ...[options]: Arguments<'post', Path>) =>
    call('post', path, options),
  patch: <Path extends PathOf<'patch'>>(path: Path, ...[options]: Arguments<'patch', Path>) =>
    call('patch', path, options),
  del: <Path extends PathOf<'delete'>>(path: Path, ...[options]: Arguments<'delete', Path>) =>
    call('delete', path, options),
};
