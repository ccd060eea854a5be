import { type SubmitEvent, useState } from 'react';
import { deleteUsersMeLimits } from '../api/generated/limits.js';
import { isProblem } from '../api/index.js';
import { navigate } from '../app/router.js';
import { toast } from '../app/toasts.js';
import { useFormat, useText } from '../i18n/index.js';
import { Button, downloadFile, ErrorNotice, Field, Notice, useAction } from '../ui/index.js';
import { type Account, deleteAccount, exportData } from './account.js';

const LIMITS = deleteUsersMeLimits.body;

/** Downloads everything that is stored about the account. */
export function DownloadData({ account }: { readonly account: Account }) {
  const { personalData: text } = useText();
  const download = useAction(async () => downloadFile(await exportData(account), 'foyer-my-data.json'));
  return (
    <div className="card stack">
      <h2>{text.title}</h2>
      <p className="soft">{text.downloadHint}</p>
      {download.error !== undefined && <ErrorNotice error={download.error} onRetry={download.run} />}
      <div>
        <Button tone="quiet" onClick={download.run} busy={download.busy}>
          {text.download}
        </Button>
      </div>
    </div>
  );
}

/** Deletes the account. It asks for the password, and for the balance if there is one. */
export function DeleteAccount({ account }: { readonly account: Account }) {
  const { personalData: text } = useText();
  const format = useFormat();
  const [password, setPassword] = useState('');
  const [isMissing, setMissing] = useState(false);
  const [forfeitBalance, setForfeitBalance] = useState(false);
  const [money, setMoney] = useState<string>();
  const erase = useAction(async () => {
    try {
      await deleteAccount(account, password, forfeitBalance);
    } catch (error) {
      if (isProblem(error, 'BALANCE_NOT_ZERO')) {
        const { balance, currency } = error.details;
        if (typeof balance === 'number' && typeof currency === 'string')
          setMoney(format.money(balance, currency));
      }
      throw error;
    }
    navigate('/');
    toast(text.deleted);
  });
  const isWrong = isProblem(erase.error, 'WRONG_CREDENTIALS');
  const hasBalance = isProblem(erase.error, 'BALANCE_NOT_ZERO');
  const passwordError = isMissing ? text.passwordMissing : isWrong ? text.passwordWrong : undefined;

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    setMissing(password === '');
    erase.clear();
    if (password !== '') erase.run();
  }

  return (
    <form className="card stack" noValidate onSubmit={submit}>
      <h2>{text.deleteTitle}</h2>
      <p className="soft">{text.deleteHint}</p>
      {/* Hidden: tells password managers which account this is. */}
      <input type="email" autoComplete="username" value={account.user.email} readOnly hidden />
      <Field
        label={text.password}
        type="password"
        autoComplete="current-password"
        maxLength={LIMITS.password.maxLength}
        value={password}
        onChange={setPassword}
        error={passwordError}
      />
      {money !== undefined && (
        <>
          <Notice tone="warn">{text.balance(money)}</Notice>
          <label>
            <input
              type="checkbox"
              checked={forfeitBalance}
              onChange={(event) => setForfeitBalance(event.target.checked)}
            />{' '}
            {text.forfeit(money)}
          </label>
        </>
      )}
      {erase.error !== undefined && !isWrong && !hasBalance && <ErrorNotice error={erase.error} />}
      <div>
        <Button type="submit" tone="quiet" busy={erase.busy}>
          {text.delete}
        </Button>
      </div>
    </form>
  );
}
