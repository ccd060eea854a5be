import { type ReactNode, useEffect } from 'react';
import { navigate, signInAddress, useRoute } from '../app/router.js';
import { type Account, useAccount } from './account.js';

/** Shows what only somebody signed in may see; everybody else signs in first and comes back. */
export function RequireAccount({ children }: { readonly children: (account: Account) => ReactNode }) {
  const account = useAccount();
  const { address } = useRoute();
  const missing = account === null;
  useEffect(() => {
    if (missing) navigate(signInAddress(address), { replace: true });
  }, [missing, address]);
  return account ? children(account) : null;
}
