import type { Operations } from './generated/operations.js';

export type Method = keyof Operations;

/** The paths that support a method. */
export type PathOf<M extends Method> = keyof Operations[M] & string;

/** What a call returns when it succeeds. */
export type ResponseOf<M extends Method, Path extends PathOf<M>> = Operations[M][Path] extends {
  response: infer Response;
}
  ? Response
  : never;

export type BodyOf<M extends Method, Path extends PathOf<M>> = Operations[M][Path] extends {
  body: infer Body;
}
  ? Body
  : never;

export type QueryOf<M extends Method, Path extends PathOf<M>> = Operations[M][Path] extends {
  query: infer Query;
}
  ? Query
  : never;

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;
/** A value for each name in braces: `/concerts/{id}` takes an `id`. */
export type ParamsOf<Path extends string> = Record<ParamNames<Path>, string>;

/** The item type of a paged response. */
export type ItemOf<List> = List extends { items: (infer Item)[] } ? Item : never;

export type User = ResponseOf<'get', '/users/me'>;
export type Session = ResponseOf<'post', '/sessions'>;
export type Concert = ResponseOf<'get', '/concerts/{id}'>;
export type Schedule = ItemOf<ResponseOf<'get', '/concerts/{id}/schedules'>>;
export type QueueToken = ResponseOf<'get', '/queue-tokens/me'>;
export type Reservation = ResponseOf<'get', '/reservations/{id}'>;
export type Receipt = ResponseOf<'get', '/payments/{id}'>;
export type Wallet = ResponseOf<'get', '/wallet'>;
export type WalletEntry = ItemOf<ResponseOf<'get', '/wallet/entries'>>;
export type Overview = ResponseOf<'get', '/concerts/{id}/overview'>;
