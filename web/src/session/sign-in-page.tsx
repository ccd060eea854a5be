import { type SubmitEvent, useEffect, useState } from 'react';
import { postUsersLimits } from '../api/generated/limits.js';
import { Link } from '../app/link.js';
import { PageTitle } from '../app/page-title.js';
import { navigate, safeRedirect, useRoute } from '../app/router.js';
import { useText } from '../i18n/index.js';
import { useStore } from '../store/index.js';
import { looksLikeEmail, signIn, signUp, typedEmail, useAccount, useSessionExpired } from './index.js';
import { Button, ErrorNotice, Field, Notice, useAction, useIsSlow } from '../ui/index.js';

const LIMITS = postUsersLimits.body;

/** A sign-in takes a fraction of a second unless many people sign in at the same time. */
const SLOW_AFTER_MS = 4000;

type FieldErrors = Partial<Record<'email' | 'password' | 'name', string>>;

/** One form for signing in and signing up. The typed address goes along between them, and to "forgot password". */
export function SignInPage({ isNew }: { readonly isNew: boolean }) {
  const { account: text, mailedLinks, common } = useText();
  const { query } = useRoute();
  const next = safeRedirect(query.get('next'));
  const isSignedIn = useAccount() !== null;
  const ranOut = useSessionExpired();
  const email = useStore(typedEmail);
  const [password, setPassword] = useState('');
  const [name, setName] = useState('');
  const [errors, setErrors] = useState<FieldErrors>({});
  const submission = useAction(() =>
    isNew ? signUp(email.trim(), password, name.trim()) : signIn(email.trim(), password),
  );

  const isSlow = useIsSlow(submission.busy, SLOW_AFTER_MS);

  // Also runs when another tab signs in.
  useEffect(() => {
    if (!isSignedIn) return;
    typedEmail.set('');
    navigate(next, { replace: true });
  }, [isSignedIn, next]);

  function validate(): FieldErrors {
    const isTooShort = Array.from(password).length < LIMITS.password.minLength;
    return {
      ...(!looksLikeEmail(email) && { email: text.emailInvalid }),
      ...(isNew && isTooShort && { password: text.passwordShort(LIMITS.password.minLength) }),
      ...(!isNew && password === '' && { password: text.passwordMissing }),
      ...(isNew && name.trim() === '' && { name: text.nameMissing }),
    };
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const found = validate();
    setErrors(found);
    if (Object.keys(found).length === 0) submission.run();
  }

  const title = isNew ? text.signUpTitle : text.signInTitle;
  const search = next === '/' ? '' : `?next=${encodeURIComponent(next)}`;
  return (
    <section className="narrow stack sign-in">
      <PageTitle title={title}>{title}</PageTitle>
      {ranOut && <Notice tone="warn">{text.sessionExpired}</Notice>}
      {!ranOut && next !== '/' && <Notice>{text.signInToContinue}</Notice>}
      <form className="card stack" noValidate onSubmit={submit}>
        {isNew && (
          <Field
            label={text.name}
            hint={text.nameHint}
            autoComplete="name"
            maxLength={LIMITS.name.maxLength}
            value={name}
            onChange={setName}
            error={errors.name}
          />
        )}
        <Field
          label={text.email}
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={LIMITS.email.maxLength}
          value={email}
          onChange={typedEmail.set}
          error={errors.email}
        />
        <Field
          label={text.password}
          {...(isNew && { hint: text.passwordHint(LIMITS.password.minLength) })}
          type="password"
          autoComplete={isNew ? 'new-password' : 'current-password'}
          maxLength={LIMITS.password.maxLength}
          value={password}
          onChange={setPassword}
          error={errors.password}
        />
        {submission.error !== undefined && <ErrorNotice error={submission.error} />}
        {isSlow && <Notice>{text.manySigningIn}</Notice>}
        <Button type="submit" className="button-large button-wide" busy={submission.busy}>
          {isNew ? common.signUp : common.signIn}
        </Button>
      </form>
      {!isNew && (
        <p>
          <Link href="/forgot-password">{mailedLinks.forgot}</Link>
        </p>
      )}
      <p>
        {isNew ? text.haveAccount : text.noAccount}{' '}
        <Link href={`${isNew ? '/sign-in' : '/sign-up'}${search}`}>
          {isNew ? common.signIn : common.signUp}
        </Link>
      </p>
    </section>
  );
}
