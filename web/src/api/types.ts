import type { paths } from './schema.js';

/** Every call of the API by its path, without the prefix they all share. */
type Calls = {
  [Path in keyof paths as Path extends `/api/v1${infer Rest}` ? Rest : never]: paths[Path];
};

export type Method = 'get' | 'post' | 'patch' | 'delete';

/** The paths that take a method. */
export type PathOf<M extends Method> = {
  [Path in keyof Calls]: Calls[Path] extends Record<M, infer Call>
    ? [Call] extends [undefined]
      ? never
      : Path
    : never;
}[keyof Calls] &
  string;

type Call<M extends Method, Path extends PathOf<M>> = Calls[Path] extends Record<M, infer C> ? C : never;

type JsonOf<Answer> = Answer extends { content: { 'application/json': infer Body } } ? Body : undefined;
type Fine<Answers> =
  Answers extends Record<200, infer Ok>
    ? JsonOf<Ok>
    : Answers extends Record<201, infer Created>
      ? JsonOf<Created>
      : undefined;

/** What a call answers when it succeeds. */
export type AnswerOf<M extends Method, Path extends PathOf<M>> =
  Call<M, Path> extends { responses: infer Answers } ? Fine<Answers> : never;

export type BodyOf<M extends Method, Path extends PathOf<M>> =
  Call<M, Path> extends { requestBody: { content: { 'application/json': infer Body } } } ? Body : undefined;

export type QueryOf<M extends Method, Path extends PathOf<M>> =
  Call<M, Path> extends { parameters: { query?: infer Query } } ? Query : undefined;

/** The names in braces, each to be given a value. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;
export type ParamsOf<Path extends string> = Record<NamesIn<Path>, string>;

type ItemOf<List> = List extends { items: (infer Item)[] } ? Item : never;

export type User = AnswerOf<'get', '/users/me'>;
export type Session = AnswerOf<'post', '/sessions'>;
export type Concert = AnswerOf<'get', '/concerts/{id}'>;
export type Schedule = ItemOf<AnswerOf<'get', '/concerts/{id}/schedules'>>;
export type QueueToken = AnswerOf<'get', '/queue-tokens/me'>;
export type Reservation = AnswerOf<'get', '/reservations/{id}'>;
export type Receipt = AnswerOf<'get', '/payments/{id}'>;
export type Wallet = AnswerOf<'get', '/wallet'>;
export type WalletEntry = ItemOf<AnswerOf<'get', '/wallet/entries'>>;
export type Overview = AnswerOf<'get', '/concerts/{id}/overview'>;
