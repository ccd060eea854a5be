import type { ReactNode } from 'react';
import { Link } from '../app/link.js';
import { PageTitle } from '../app/page-title.js';
import { navigate, signInPath, useRoute } from '../app/router.js';
import { useText } from '../i18n/index.js';
import { signOut, useAccount } from '../session/index.js';
import { Button } from '../ui/index.js';
import { useOperatorText } from './texts/index.js';

/** Renders its children for a promoter; everyone else gets an explanation and a link to sign in. */
export function RequireOperator({ children }: { readonly children: ReactNode }) {
  const account = useAccount();
  const { address } = useRoute();
  const { common } = useText();
  const { general } = useOperatorText();
  if (account?.user.role === 'OPERATOR') return children;
  return (
    <section className="narrow stack">
      <PageTitle title={general.forPromoters}>{general.forPromoters}</PageTitle>
      <p>{account ? general.notAnOperator(account.user.name) : general.signInFirst}</p>
      <div className="row">
        <Button
          onClick={() => {
            if (account) signOut();
            navigate(signInPath(address));
          }}
        >
          {general.signInAsOperator}
        </Button>
        <Link className="button button-quiet" href="/">
          {common.toHome}
        </Link>
      </div>
    </section>
  );
}
