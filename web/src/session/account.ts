import { api, onProblem, type Session, type User } from '../api/index.js';
import { isRecord } from '../is-record.js';
import { createPersistedStore, useStore } from '../store/index.js';
import { places } from './places.js';

/** Who is signed in here, and with what. */
export interface Account {
  readonly user: User;
  readonly accessToken: string;
  readonly expiresAt: string;
}

interface SignedIn {
  readonly account: Account | null;
  /** Signed out by time rather than by wish: the sign-in page says so. */
  readonly ranOut: boolean;
}

const NOBODY: SignedIn = { account: null, ranOut: false };

function parseUser(found: unknown): User | null {
  if (!isRecord(found)) return null;
  const { id, email, name, role } = found;
  if (typeof id !== 'string' || typeof email !== 'string' || typeof name !== 'string') return null;
  return { id, email, name, role: role === 'OPERATOR' ? 'OPERATOR' : 'CUSTOMER' };
}

function parseSignedIn(found: unknown): SignedIn {
  if (!isRecord(found) || !isRecord(found['account'])) return NOBODY;
  const { user: foundUser, accessToken, expiresAt } = found['account'];
  const user = parseUser(foundUser);
  if (!user || typeof accessToken !== 'string' || typeof expiresAt !== 'string') return NOBODY;
  return { account: { user, accessToken, expiresAt }, ranOut: false };
}

const signedIn = createPersistedStore('foyer.account', parseSignedIn);

/** Places belong to an account: another one's are not carried over. */
function enter({ user, accessToken, expiresAt }: Session): void {
  places.belongTo(user.id);
  signedIn.set({ account: { user, accessToken, expiresAt }, ranOut: false });
}

// The credential itself was refused, not the place: whoever it was has to sign in again.
onProblem((problem, token) => {
  const { account } = signedIn.get();
  const refused = problem.status === 401 && problem.code === 'ACCESS_DENIED';
  const gone = problem.code === 'USER_NOT_FOUND';
  if (account && token === account.accessToken && (refused || gone))
    signedIn.set({ account: null, ranOut: true });
});

export const currentAccount = (): Account | null => signedIn.get().account;
export const useAccount = (): Account | null => useStore(signedIn).account;
export const useSessionRanOut = (): boolean => useStore(signedIn).ranOut;

export async function signIn(email: string, password: string): Promise<void> {
  enter(await api.post('/sessions', { body: { email, password } }));
}

export async function signUp(email: string, password: string, name: string): Promise<void> {
  enter(await api.post('/users', { body: { email, password, name } }));
}

/** Forgets who was here, and the places: on a shared machine nobody goes on in another's name. */
export function signOut(): void {
  places.belongTo(null);
  signedIn.set(NOBODY);
}
