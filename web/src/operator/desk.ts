import { addressOf, api, type BodyOf, type ItemOf, type ResponseOf } from '../api/index.js';
import { request } from '../api/client.js';
import { currentAccount } from '../session/index.js';

export type DeskConcert = ItemOf<ResponseOf<'get', '/operator/concerts'>>;
export type DeskConcertWithDates = ResponseOf<'get', '/operator/concerts/{id}'>;
export type Policy = ResponseOf<'get', '/operator/concerts/{id}/waiting-room'>;
export type PolicyPatch = BodyOf<'patch', '/operator/concerts/{id}/waiting-room'>;
export type NewConcert = BodyOf<'post', '/operator/concerts'>;
export type ConcertEdit = BodyOf<'patch', '/operator/concerts/{id}'>;
export type Duplication = BodyOf<'post', '/operator/concerts/{id}/duplicate'>;
export type Stats = ResponseOf<'get', '/operator/concerts/{id}/stats'>;
export type History = ResponseOf<'get', '/operator/concerts/{id}/history'>;
export type AuditEntry = ItemOf<ResponseOf<'get', '/operator/concerts/{id}/audit'>>;
export type SoldReservation = ItemOf<ResponseOf<'get', '/operator/concerts/{id}/reservations'>>;
export type SoldPayment = ItemOf<ResponseOf<'get', '/operator/concerts/{id}/payments'>>;
export type SalesListName = 'reservations' | 'payments';

/** One page of a list; with `q`, of the entries that match it. */
export interface ListQuery {
  readonly q?: string;
  readonly cursor?: string;
}

const PAGE_ITEMS = '50';
/** A large sale's list takes a while to write; it is streamed. */
const CSV_TIMEOUT_MS = 120_000;
/** A plan of an arena is megabytes, and a promoter's connection may be slow. */
const UPLOAD_TIMEOUT_MS = 60_000;

const mine = () => ({ token: currentAccount()?.accessToken });
const pageQuery = ({ q = '', cursor }: ListQuery) => ({
  limit: PAGE_ITEMS,
  ...(q !== '' && { q }),
  ...(cursor !== undefined && { cursor }),
});

/** Everything the promoter's pages ask of the server. */
export const desk = {
  async concerts(signal: AbortSignal): Promise<DeskConcert[]> {
    const all: DeskConcert[] = [];
    let cursor: string | null | undefined;
    do {
      const query = { limit: '100', ...(cursor && { cursor }) };
      const page = await api.get('/operator/concerts', { ...mine(), signal, query });
      all.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return all;
  },
  concert: (id: string, signal: AbortSignal) =>
    api.get('/operator/concerts/{id}', { ...mine(), params: { id }, signal }),
  create: (body: NewConcert, idempotencyKey: string) =>
    api.post('/operator/concerts', { ...mine(), body, idempotencyKey, timeoutMs: UPLOAD_TIMEOUT_MS }),
  edit: (id: string, body: ConcertEdit) =>
    api.patch('/operator/concerts/{id}', { ...mine(), params: { id }, body }),
  duplicate: (id: string, body: Duplication, idempotencyKey: string) =>
    api.post('/operator/concerts/{id}/duplicate', { ...mine(), params: { id }, body, idempotencyKey }),
  changePolicy: (id: string, body: PolicyPatch) =>
    api.patch('/operator/concerts/{id}/waiting-room', { ...mine(), params: { id }, body }),
  stats: (id: string, signal: AbortSignal) =>
    api.get('/operator/concerts/{id}/stats', { ...mine(), params: { id }, signal }),
  history: (id: string, signal: AbortSignal) =>
    api.get('/operator/concerts/{id}/history', { ...mine(), params: { id }, signal }),
  audit: (id: string, query: ListQuery, signal?: AbortSignal) =>
    api.get('/operator/concerts/{id}/audit', { ...mine(), params: { id }, query: pageQuery(query), signal }),
  reservations: (id: string, query: ListQuery, signal?: AbortSignal) =>
    api.get('/operator/concerts/{id}/reservations', {
      ...mine(),
      params: { id },
      query: pageQuery(query),
      signal,
    }),
  payments: (id: string, query: ListQuery, signal?: AbortSignal) =>
    api.get('/operator/concerts/{id}/payments', {
      ...mine(),
      params: { id },
      query: pageQuery(query),
      signal,
    }),
  refund: (id: string, idempotencyKey: string) =>
    api.post('/operator/payments/{id}/refund', { ...mine(), params: { id }, idempotencyKey, body: {} }),
  chart: (id: string, signal: AbortSignal) =>
    api.get('/operator/schedules/{id}/chart', { ...mine(), params: { id }, signal }),
  seatStates: (id: string, signal: AbortSignal) =>
    api.get('/operator/schedules/{id}/state', { ...mine(), params: { id }, signal }),
  /** The whole list as a file; the token stays in the header, where no history keeps it. */
  async csv(list: SalesListName, id: string, q: string): Promise<Blob> {
    const address = addressOf(`/operator/concerts/{id}/${list}`, { id }, q === '' ? {} : { q });
    const options = { ...mine(), timeoutMs: CSV_TIMEOUT_MS };
    const answer = await request(address, { headers: { accept: 'text/csv' } }, options);
    return answer.blob();
  },
};
