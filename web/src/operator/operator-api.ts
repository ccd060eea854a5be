import { urlOf, api, type BodyOf, type ItemOf, type QueryOf, type ResponseOf } from '../api/index.js';
import { request } from '../api/client.js';
import { currentAccount } from '../session/index.js';

export type OperatorConcert = ItemOf<ResponseOf<'get', '/operator/concerts'>>;
export type OperatorConcertDetails = ResponseOf<'get', '/operator/concerts/{id}'>;
export type Policy = ResponseOf<'get', '/operator/concerts/{id}/waiting-room'>;
export type PolicyPatch = BodyOf<'patch', '/operator/concerts/{id}/waiting-room'>;
export type ConcertDefaults = ResponseOf<'get', '/operator/concert-defaults'>;
export type NewConcert = BodyOf<'post', '/operator/concerts'>;
export type ConcertEdit = BodyOf<'patch', '/operator/concerts/{id}'>;
export type Duplication = BodyOf<'post', '/operator/concerts/{id}/duplicate'>;
export type Stats = ResponseOf<'get', '/operator/concerts/{id}/stats'>;
export type History = ResponseOf<'get', '/operator/concerts/{id}/history'>;
export type SaleReport = ResponseOf<'get', '/operator/concerts/{id}/report'>;
export type AuditEntry = ItemOf<ResponseOf<'get', '/operator/concerts/{id}/audit'>>;
export type ReservationEntry = ItemOf<ResponseOf<'get', '/operator/concerts/{id}/reservations'>>;
export type PaymentEntry = ItemOf<ResponseOf<'get', '/operator/concerts/{id}/payments'>>;
export type OperatorEntry = ItemOf<ResponseOf<'get', '/operator/operators'>>;
export type MailEntry = ItemOf<ResponseOf<'get', '/operator/mailbox'>>;
export type SeatOwner = ResponseOf<'get', '/operator/schedules/{id}/seats/{seatId}'>;
export type SalesListName = 'reservations' | 'payments';

export type ReservationStatus = ReservationEntry['status'];
export type PaymentStatus = NonNullable<QueryOf<'get', '/operator/concerts/{id}/payments'>['status']>;

/** Which entries of a list are shown. Empty texts filter nothing. */
export interface SalesFilter<Status extends string = string> {
  readonly q: string;
  readonly status: Status | '';
  readonly scheduleId: string;
}

/** One page of a list. */
export interface ListQuery {
  readonly cursor?: string;
}

const PAGE_ITEMS = '50';
/** The list of a large sale takes a while to download. */
const CSV_TIMEOUT_MS = 120_000;
/** Two megabytes over a slow connection; the server waits no longer for a body. */
const UPLOAD_TIMEOUT_MS = 20_000;
/** Foyer takes up to five minutes to add or copy a concert with half a million seats. */
const BUILD_TIMEOUT_MS = 330_000;

const credentials = () => ({ token: currentAccount()?.accessToken });
const pageQuery = ({ cursor }: ListQuery) => ({
  limit: PAGE_ITEMS,
  ...(cursor !== undefined && { cursor }),
});
const filterQuery = <Status extends string>({ q, status, scheduleId }: SalesFilter<Status>) => ({
  ...(q !== '' && { q }),
  ...(status !== '' && { status }),
  ...(scheduleId !== '' && { scheduleId }),
});

/** All calls of the promoter's pages. */
export const operatorApi = {
  async concerts(signal: AbortSignal): Promise<OperatorConcert[]> {
    const all: OperatorConcert[] = [];
    let cursor: string | null | undefined;
    do {
      const query = { limit: '100', ...(cursor && { cursor }) };
      const page = await api.get('/operator/concerts', { ...credentials(), signal, query });
      all.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return all;
  },
  concert: (id: string, signal: AbortSignal) =>
    api.get('/operator/concerts/{id}', { ...credentials(), params: { id }, signal }),
  concertDefaults: (signal: AbortSignal) =>
    api.get('/operator/concert-defaults', { ...credentials(), signal }),
  create: (body: NewConcert, idempotencyKey: string) =>
    api.post('/operator/concerts', { ...credentials(), body, idempotencyKey, timeoutMs: BUILD_TIMEOUT_MS }),
  edit: (id: string, body: ConcertEdit) =>
    api.patch('/operator/concerts/{id}', { ...credentials(), params: { id }, body }),
  /** Returns the concert with its new poster. */
  async uploadPoster(id: string, file: File): Promise<OperatorConcertDetails> {
    // The server looks at the content; a browser may not know the type of the file.
    const type = file.type.startsWith('image/') ? file.type : 'image/png';
    await request(
      urlOf('/operator/concerts/{id}/poster', { id }),
      { method: 'PUT', body: file, headers: { 'content-type': type } },
      { ...credentials(), timeoutMs: UPLOAD_TIMEOUT_MS },
    );
    return api.get('/operator/concerts/{id}', { ...credentials(), params: { id } });
  },
  removePoster: (id: string) =>
    api.del('/operator/concerts/{id}/poster', { ...credentials(), params: { id } }),
  publish: (id: string) =>
    api.post('/operator/concerts/{id}/publish', { ...credentials(), params: { id }, body: {} }),
  duplicate: (id: string, body: Duplication, idempotencyKey: string) =>
    api.post('/operator/concerts/{id}/duplicate', {
      ...credentials(),
      params: { id },
      body,
      idempotencyKey,
      timeoutMs: BUILD_TIMEOUT_MS,
    }),
  changePolicy: (id: string, body: PolicyPatch) =>
    api.patch('/operator/concerts/{id}/waiting-room', { ...credentials(), params: { id }, body }),
  stats: (id: string, signal: AbortSignal) =>
    api.get('/operator/concerts/{id}/stats', { ...credentials(), params: { id }, signal }),
  history: (id: string, signal: AbortSignal) =>
    api.get('/operator/concerts/{id}/history', { ...credentials(), params: { id }, signal }),
  report: (id: string, signal: AbortSignal) =>
    api.get('/operator/concerts/{id}/report', { ...credentials(), params: { id }, signal }),
  audit: (id: string, query: ListQuery, signal?: AbortSignal) =>
    api.get('/operator/concerts/{id}/audit', {
      ...credentials(),
      params: { id },
      query: pageQuery(query),
      signal,
    }),
  allAudit: (query: ListQuery, signal?: AbortSignal) =>
    api.get('/operator/audit', { ...credentials(), query: pageQuery(query), signal }),
  reservations: (id: string, filter: SalesFilter<ReservationStatus>, page: ListQuery, signal?: AbortSignal) =>
    api.get('/operator/concerts/{id}/reservations', {
      ...credentials(),
      params: { id },
      query: { ...pageQuery(page), ...filterQuery(filter) },
      signal,
    }),
  payments: (id: string, filter: SalesFilter<PaymentStatus>, page: ListQuery, signal?: AbortSignal) =>
    api.get('/operator/concerts/{id}/payments', {
      ...credentials(),
      params: { id },
      query: { ...pageQuery(page), ...filterQuery(filter) },
      signal,
    }),
  seatOwner: (id: string, seatId: string, signal: AbortSignal) =>
    api.get('/operator/schedules/{id}/seats/{seatId}', { ...credentials(), params: { id, seatId }, signal }),
  refund: (id: string, idempotencyKey: string) =>
    api.post('/operator/payments/{id}/refund', {
      ...credentials(),
      params: { id },
      idempotencyKey,
      body: {},
    }),
  operators: (query: ListQuery, signal?: AbortSignal) =>
    api.get('/operator/operators', { ...credentials(), query: pageQuery(query), signal }),
  inviteOperator: (body: BodyOf<'post', '/operator/operators'>) =>
    api.post('/operator/operators', { ...credentials(), body }),
  removeOperator: (id: string) => api.del('/operator/operators/{id}', { ...credentials(), params: { id } }),
  mailbox: (query: ListQuery, signal?: AbortSignal) =>
    api.get('/operator/mailbox', { ...credentials(), query: pageQuery(query), signal }),
  chart: (id: string, signal: AbortSignal) =>
    api.get('/operator/schedules/{id}/chart', { ...credentials(), params: { id }, signal }),
  seatStates: (id: string, signal: AbortSignal) =>
    api.get('/operator/schedules/{id}/state', { ...credentials(), params: { id }, signal }),
  /** The whole list as a file. Not a plain link: its URL would put the token into the browser's history. */
  async csv(list: SalesListName, id: string, filter: SalesFilter): Promise<Blob> {
    const url = urlOf(`/operator/concerts/{id}/${list}`, { id }, filterQuery(filter));
    const options = { ...credentials(), timeoutMs: CSV_TIMEOUT_MS };
    const response = await request(url, { headers: { accept: 'text/csv' } }, options);
    return response.blob();
  },
};
