import { type SubmitEvent, useState } from 'react';
import { isProblem } from '../api/index.js';
import { postUsersMePasswordLimits } from '../api/generated/limits.js';
import { PageTitle } from '../app/page-title.js';
import { navigate } from '../app/router.js';
import { toast } from '../app/toasts.js';
import { useText } from '../i18n/index.js';
import { Button, ConfirmButton, ErrorNotice, Field, useAction } from '../ui/index.js';
import { type Account, changePassword, signOut, signOutEverywhere } from './account.js';
import { DeleteAccount, DownloadData } from './personal-data.js';
import { RequireAccount } from './require-account.js';

const LIMITS = postUsersMePasswordLimits.body;

export function AccountPage() {
  const { account: text, common } = useText();
  return (
    <RequireAccount>
      {(account) => (
        <section className="narrow stack">
          <PageTitle title={text.title}>{text.title}</PageTitle>
          <p className="soft">{common.signedInAs(`${account.user.name} (${account.user.email})`)}</p>
          <ChangePassword account={account} />
          <Devices account={account} />
          <DownloadData account={account} />
          <DeleteAccount account={account} />
        </section>
      )}
    </RequireAccount>
  );
}

type FieldErrors = Partial<Record<'currentPassword' | 'newPassword', string>>;

function ChangePassword({ account }: { readonly account: Account }) {
  const { account: text } = useText();
  const [currentPassword, setCurrentPassword] = useState('');
  const [newPassword, setNewPassword] = useState('');
  const [errors, setErrors] = useState<FieldErrors>({});
  const change = useAction(async () => {
    await changePassword(account, currentPassword, newPassword);
    setCurrentPassword('');
    setNewPassword('');
    toast(text.passwordChanged, 'good');
  });
  const isWrong = isProblem(change.error, 'WRONG_CREDENTIALS');
  const currentError = errors.currentPassword ?? (isWrong ? text.currentPasswordWrong : undefined);

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const { minLength } = LIMITS.newPassword;
    const found: FieldErrors = {
      ...(currentPassword === '' && { currentPassword: text.passwordMissing }),
      ...(Array.from(newPassword).length < minLength && { newPassword: text.passwordShort(minLength) }),
    };
    setErrors(found);
    change.clear();
    if (Object.keys(found).length === 0) change.run();
  }

  return (
    <form className="card stack" noValidate onSubmit={submit}>
      <h2>{text.changePassword}</h2>
      <p className="soft">{text.changePasswordHint}</p>
      {/* Hidden: tells password managers which account this is. */}
      <input type="email" autoComplete="username" value={account.user.email} readOnly hidden />
      <Field
        label={text.currentPassword}
        type="password"
        autoComplete="current-password"
        maxLength={LIMITS.currentPassword.maxLength}
        value={currentPassword}
        onChange={setCurrentPassword}
        error={currentError}
      />
      <Field
        label={text.newPassword}
        hint={text.passwordHint(LIMITS.newPassword.minLength)}
        type="password"
        autoComplete="new-password"
        maxLength={LIMITS.newPassword.maxLength}
        value={newPassword}
        onChange={setNewPassword}
        error={errors.newPassword}
      />
      {change.error !== undefined && !isWrong && <ErrorNotice error={change.error} />}
      <Button type="submit" busy={change.busy}>
        {text.changePassword}
      </Button>
    </form>
  );
}

function Devices({ account }: { readonly account: Account }) {
  const { account: text, common } = useText();
  const leave = (message: string): void => {
    navigate('/');
    toast(message);
  };
  return (
    <div className="card stack">
      <h2>{text.devices}</h2>
      <p className="soft">{text.devicesHint}</p>
      <div className="row">
        <Button
          tone="quiet"
          onClick={() => {
            signOut();
            leave(common.signedOut);
          }}
        >
          {text.signOutHere}
        </Button>
        <ConfirmButton
          label={text.signOutEverywhere}
          title={text.signOutEverywhereTitle}
          cancelLabel={common.cancel}
          confirmLabel={text.signOutEverywhere}
          action={async () => {
            await signOutEverywhere(account);
            leave(text.signedOutEverywhere);
          }}
        >
          <p>{text.signOutEverywhereText}</p>
        </ConfirmButton>
      </div>
    </div>
  );
}
