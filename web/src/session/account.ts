import { api, onProblem, urlOf, type Session, type User } from '../api/index.js';
import { PASSWORD_TIMEOUT_MS, request } from '../api/client.js';
import { isRecord } from '../is-record.js';
import { createPersistedStore, useStore } from '../store/index.js';
import { places } from './places.js';

/** The signed-in user and their access token. */
export interface Account {
  readonly user: User;
  readonly accessToken: string;
  readonly expiresAt: string;
}

interface SessionState {
  readonly account: Account | null;
  /** Signed out because the session expired, not by the user: the sign-in page says so. */
  readonly hasExpired: boolean;
}

const SIGNED_OUT: SessionState = { account: null, hasExpired: false };

function parseUser(found: unknown): User | null {
  if (!isRecord(found)) return null;
  const { id, email, name, role, emailVerified } = found;
  if (typeof id !== 'string' || typeof email !== 'string' || typeof name !== 'string') return null;
  return {
    id,
    email,
    name,
    role: role === 'OPERATOR' ? 'OPERATOR' : 'CUSTOMER',
    emailVerified: emailVerified === true,
  };
}

function parseSession(found: unknown): SessionState {
  if (!isRecord(found) || !isRecord(found['account'])) return SIGNED_OUT;
  const { user: storedUser, accessToken, expiresAt } = found['account'];
  const user = parseUser(storedUser);
  if (!user || typeof accessToken !== 'string' || typeof expiresAt !== 'string') return SIGNED_OUT;
  return { account: { user, accessToken, expiresAt }, hasExpired: false };
}

const session = createPersistedStore('foyer.account', parseSession);

/** Starting a session drops the places of any other account. */
function startSession({ user, accessToken, expiresAt }: Session): void {
  places.setOwner(user.id);
  session.set({ account: { user, accessToken, expiresAt }, hasExpired: false });
}

// A refused access token ends the session; a refused queue token does not.
onProblem((problem, token) => {
  const { account } = session.get();
  const isRefused = problem.status === 401 && problem.code === 'ACCESS_DENIED';
  const isDeleted = problem.code === 'USER_NOT_FOUND';
  if (account && token === account.accessToken && (isRefused || isDeleted))
    session.set({ account: null, hasExpired: true });
});

export const currentAccount = (): Account | null => session.get().account;
export const useAccount = (): Account | null => useStore(session).account;
export const useSessionExpired = (): boolean => useStore(session).hasExpired;

export async function signIn(email: string, password: string): Promise<void> {
  startSession(await api.post('/sessions', { body: { email, password }, timeoutMs: PASSWORD_TIMEOUT_MS }));
}

export async function signUp(email: string, password: string, name: string): Promise<void> {
  startSession(await api.post('/users', { body: { email, password, name }, timeoutMs: PASSWORD_TIMEOUT_MS }));
}

/** Also drops the places: on a shared machine the next user must not continue with them. */
function endSession(): void {
  places.setOwner(null);
  session.set(SIGNED_OUT);
}

/** Signs out even without a connection; the token then expires by itself. */
export function signOut(): void {
  const token = currentAccount()?.accessToken;
  endSession();
  if (token !== undefined) api.del('/sessions/me', { token, keepsSession: true }).catch(() => undefined);
}

export async function signOutEverywhere({ accessToken: token }: Account): Promise<void> {
  await api.del('/sessions', { token });
  endSession();
}

/** Ends every session and starts a new one here. If that fails, the sign-in page asks for the new password. */
export async function changePassword(
  { accessToken: token, user }: Account,
  currentPassword: string,
  newPassword: string,
): Promise<void> {
  await api.post('/users/me/password', {
    token,
    body: { currentPassword, newPassword },
    timeoutMs: PASSWORD_TIMEOUT_MS,
  });
  await signIn(user.email, newPassword).catch(() => session.set({ account: null, hasExpired: true }));
}

/** The data of an account with a long history takes a while to download. */
const EXPORT_TIMEOUT_MS = 120_000;

/** A file. Not a plain link: its URL would put the token into the browser's history. */
export async function exportData({ accessToken: token }: Account): Promise<Blob> {
  const response = await request(urlOf('/users/me/export'), {}, { token, timeoutMs: EXPORT_TIMEOUT_MS });
  return response.blob();
}

export async function deleteAccount(
  { accessToken: token }: Account,
  password: string,
  forfeitBalance: boolean,
): Promise<void> {
  await api.del('/users/me', { token, body: { password, forfeitBalance }, timeoutMs: PASSWORD_TIMEOUT_MS });
  endSession();
}
