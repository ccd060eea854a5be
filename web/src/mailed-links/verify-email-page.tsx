import { api } from '../api/index.js';
import { Link } from '../app/link.js';
import { PageTitle } from '../app/page-title.js';
import { useText } from '../i18n/index.js';
import { Loading, Notice, useLoaded } from '../ui/index.js';
import { useLinkToken } from './token-of-link.js';

/** Where the link of a verification leads. Opening it verifies the address; opening it again changes nothing. */
export function VerifyEmailPage() {
  const { mailedLinks: text, common } = useText();
  const token = useLinkToken();
  return (
    <section className="narrow stack">
      <PageTitle title={text.verifyTitle}>{text.verifyTitle}</PageTitle>
      {token === '' ? <Notice tone="warn">{text.linkIncomplete}</Notice> : <Verification token={token} />}
      <p>
        <Link href="/">{common.toHome}</Link>
      </p>
    </section>
  );
}

function Verification({ token }: { readonly token: string }) {
  const { mailedLinks: text } = useText();
  const verified = useLoaded(`verification ${token}`, async () => {
    await api.post('/email-verifications/{token}', { params: { token }, body: {} });
    return true;
  });
  return <Loading of={verified}>{() => <Notice tone="good">{text.verified}</Notice>}</Loading>;
}
