import type { ReactNode } from 'react';
import { Link } from '../app/link.js';
import { PageTitle } from '../app/page-title.js';
import { navigate, signInAddress, useRoute } from '../app/router.js';
import { useText } from '../i18n/index.js';
import { signOut, useAccount } from '../session/index.js';
import { Button } from '../ui/index.js';
import { useOperatorText } from './texts/index.js';

/** Shows what only a promoter may see; everybody else is told so, and led to the sign-in and back. */
export function RequireOperator({ children }: { readonly children: ReactNode }) {
  const account = useAccount();
  const { address } = useRoute();
  const { common } = useText();
  const { desk } = useOperatorText();
  if (account?.user.role === 'OPERATOR') return children;
  return (
    <section className="narrow stack">
      <PageTitle title={desk.forPromoters}>{desk.forPromoters}</PageTitle>
      <p>{account ? desk.notAnOperator(account.user.name) : desk.signInFirst}</p>
      <div className="row">
        <Button
          onClick={() => {
            if (account) signOut();
            navigate(signInAddress(address));
          }}
        >
          {desk.signInAsOperator}
        </Button>
        <Link className="button button-quiet" href="/">
          {common.toHome}
        </Link>
      </div>
    </section>
  );
}
