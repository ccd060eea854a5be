import { api, onProblem, type Session, type User } from '../api/index.js';
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
  const { id, email, name, role } = found;
  if (typeof id !== 'string' || typeof email !== 'string' || typeof name !== 'string') return null;
  return { id, email, name, role: role === 'OPERATOR' ? 'OPERATOR' : 'CUSTOMER' };
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
  startSession(await api.post('/sessions', { body: { email, password } }));
}

export async function signUp(email: string, password: string, name: string): Promise<void> {
  startSession(await api.post('/users', { body: { email, password, name } }));
}

/** Also drops the places: on a shared machine the next user must not continue with them. */
export function signOut(): void {
  places.setOwner(null);
  session.set(SIGNED_OUT);
}
