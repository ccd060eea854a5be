import { type SubmitEvent, useState } from 'react';
import { postPasswordResetsLimits } from '../api/generated/limits.js';
import { api } from '../api/index.js';
import { Link } from '../app/link.js';
import { PageTitle } from '../app/page-title.js';
import { useText } from '../i18n/index.js';
import { looksLikeEmail, typedEmail } from '../session/index.js';
import { useStore } from '../store/index.js';
import { Button, ErrorNotice, Field, Notice, useAction } from '../ui/index.js';

export function ForgotPasswordPage() {
  const { account, mailedLinks: text, common } = useText();
  const email = useStore(typedEmail);
  const [error, setError] = useState<string>();
  const [sentTo, setSentTo] = useState<string>();
  const submission = useAction(async () => {
    await api.post('/password-resets', { body: { email: email.trim() } });
    setSentTo(email.trim());
  });

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const isValid = looksLikeEmail(email);
    setError(isValid ? undefined : account.emailInvalid);
    if (isValid) submission.run();
  }

  return (
    <section className="narrow stack sign-in">
      <PageTitle title={text.forgotTitle}>{text.forgotTitle}</PageTitle>
      <form className="card stack" noValidate onSubmit={submit}>
        <p>{text.forgotHint}</p>
        <Field
          label={account.email}
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={postPasswordResetsLimits.body.email.maxLength}
          value={email}
          onChange={typedEmail.set}
          error={error}
        />
        {submission.error !== undefined && <ErrorNotice error={submission.error} />}
        <Button type="submit" className="button-large button-wide" busy={submission.busy}>
          {text.sendLink}
        </Button>
        {sentTo !== undefined && (
          <Notice tone="good" title={text.linkSent}>
            {text.linkSentHint(sentTo)}
          </Notice>
        )}
      </form>
      <p>
        <Link href="/sign-in">{common.signIn}</Link>
      </p>
    </section>
  );
}
