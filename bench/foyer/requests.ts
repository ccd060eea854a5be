/** Creates the HTTP requests of a fan as text, ready to be sent over a socket. */
const head = (method: string, path: string, token: string): string =>
  `${method} /api/v1${path} HTTP/1.1\r\nhost: foyer\r\nauthorization: Bearer ${token}\r\n`;

export const get = (path: string, token: string): string => `${head('GET', path, token)}\r\n`;

/** Same length as every value that replaces a `{{name}}` in a body: all of them are UUIDs. */
const ID_PLACEHOLDER = '0'.repeat(36);

/** The content-length is that of the body after each `{{name}}` has been replaced. */
function post(path: string, token: string, body?: object): string {
  if (body === undefined) return `${head('POST', path, token)}content-length: 0\r\n\r\n`;
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text.replace(/\{\{\w+\}\}/g, ID_PLACEHOLDER));
  return `${head('POST', path, token)}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${text}`;
}

export interface Account {
  readonly email: string;
  readonly password: string;
}

export function signIn(account: Account): string {
  const text = JSON.stringify(account);
  return `POST /api/v1/sessions HTTP/1.1\r\nhost: foyer\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

/** Capture patterns for values of a JSON response. */
export const TOKEN_PATTERN = '"token":"([^"]+)"';
export const ID_PATTERN = '"id":"([^"]+)"';

export const statePath = (scheduleId: string): string => `/schedules/${scheduleId}/state`;

export const poll = (token: string): string => get('/queue-tokens/me', token);
export const join = (concertId: string, token: string): string =>
  post(`/concerts/${concertId}/queue-tokens`, token);
export const dates = (concertId: string, token: string): string =>
  get(`/concerts/${concertId}/schedules`, token);
export const seats = (scheduleId: string, token: string): string =>
  get(`/schedules/${scheduleId}/seats`, token);
export const state = (scheduleId: string, token: string): string => get(statePath(scheduleId), token);
export const hold = (scheduleId: string, seatId: string, token: string): string =>
  post('/reservations', token, { scheduleId, seatIds: [seatId] });
export const charge = (token: string): string => post('/wallet/charges', token, { amount: 100 });
export const pay = (reservationId: string, token: string): string =>
  post('/payments', token, { reservationId });
