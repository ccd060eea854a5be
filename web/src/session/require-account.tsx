import { type ReactNode, useEffect } from 'react';
import { navigate, signInPath, useRoute } from '../app/router.js';
import { type Account, useAccount } from './account.js';

/** Renders its children for a signed-in user; everyone else is sent to the sign-in page and returns afterwards. */
export function RequireAccount({ children }: { readonly children: (account: Account) => ReactNode }) {
  const account = useAccount();
  const { address } = useRoute();
  const isMissing = account === null;
  useEffect(() => {
    if (isMissing) navigate(signInPath(address), { replace: true });
  }, [isMissing, address]);
  return account ? children(account) : null;
}
