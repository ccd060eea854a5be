import { type SubmitEvent, useState } from 'react';
import { postPasswordResetsByTokenLimits } from '../api/generated/limits.js';
import { PASSWORD_TIMEOUT_MS } from '../api/client.js';
import { api } from '../api/index.js';
import { Link } from '../app/link.js';
import { PageTitle } from '../app/page-title.js';
import { navigate, signInPath } from '../app/router.js';
import { toast } from '../app/toasts.js';
import { useText } from '../i18n/index.js';
import { signOut } from '../session/index.js';
import { Button, ErrorNotice, Field, Notice, useAction } from '../ui/index.js';
import { useLinkToken } from './token-of-link.js';

const LIMITS = postPasswordResetsByTokenLimits.body.newPassword;

/** Where the link of a password reset or of an invitation leads. */
export function SetPasswordPage({ isInvitation }: { readonly isInvitation: boolean }) {
  const { account, mailedLinks: text } = useText();
  const token = useLinkToken();
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const submission = useAction(async () => {
    await api.post('/password-resets/{token}', {
      params: { token },
      body: { newPassword: password },
      timeoutMs: PASSWORD_TIMEOUT_MS,
    });
    // Every session of the account has ended. Another account in this browser must not continue by accident.
    signOut();
    toast(isInvitation ? text.invitationAccepted : text.passwordSet, 'good');
    navigate(signInPath(isInvitation ? '/operator' : '/'), { replace: true });
  });

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const isTooShort = Array.from(password).length < LIMITS.minLength;
    setError(isTooShort ? account.passwordShort(LIMITS.minLength) : undefined);
    if (!isTooShort) submission.run();
  }

  const title = isInvitation ? text.invitationTitle : text.resetTitle;
  return (
    <section className="narrow stack sign-in">
      <PageTitle title={title}>{title}</PageTitle>
      {token === '' ? (
        <Notice tone="warn">{text.linkIncomplete}</Notice>
      ) : (
        <form className="card stack" noValidate onSubmit={submit}>
          <p>{isInvitation ? text.invitationHint : text.resetHint}</p>
          <Field
            label={text.newPassword}
            hint={account.passwordHint(LIMITS.minLength)}
            type="password"
            autoComplete="new-password"
            maxLength={LIMITS.maxLength}
            value={password}
            onChange={setPassword}
            error={error}
          />
          {submission.error !== undefined && <ErrorNotice error={submission.error} />}
          <Button type="submit" className="button-large button-wide" busy={submission.busy}>
            {text.setPassword}
          </Button>
        </form>
      )}
      {!isInvitation && (
        <p>
          <Link href="/forgot-password">{text.askAgain}</Link>
        </p>
      )}
    </section>
  );
}
