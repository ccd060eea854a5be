import { api, type Wallet, type WalletEntry } from '../api/index.js';
import { Link } from '../app/link.js';
import { TopUp } from '../booking/checkout/top-up.js';
import { isWalletDenied, loadWallet, type WalletWithToken } from '../booking/checkout/load-wallet.js';
import { useFormat, useText } from '../i18n/index.js';
import { usePlaces } from '../session/index.js';
import { Loading, LoadMoreButton, Notice, usePagedList, useLoaded } from '../ui/index.js';

const DEFAULT_TOP_UP = 100_000;

interface Props {
  readonly token: string;
  readonly userId: string;
}

/** The balance, the top-up form and the wallet's entries. */
export function WalletSection({ token, userId }: Props) {
  const { myTickets: text, common } = useText();
  const places = Object.values(usePlaces());
  const wallet = useLoaded(`wallet ${userId} ${places.length}`, (signal) =>
    loadWallet([token, ...places], signal),
  );
  return (
    <section className="card stack wallet">
      <h2>{text.wallet}</h2>
      {isWalletDenied(wallet.error) ? (
        <Notice
          actions={
            <Link className="button button-quiet" href="/">
              {common.toHome}
            </Link>
          }
        >
          {text.walletDenied}
        </Notice>
      ) : (
        <Loading of={wallet}>
          {(open) => (
            <WalletDetails
              wallet={open}
              userId={userId}
              onToppedUp={(next) => wallet.update(({ token: opener }) => ({ ...next, token: opener }))}
            />
          )}
        </Loading>
      )}
    </section>
  );
}

interface WalletDetailsProps {
  readonly wallet: WalletWithToken;
  readonly userId: string;
  readonly onToppedUp: (wallet: Wallet) => void;
}

function WalletDetails({ wallet: { balance, currency, token }, userId, onToppedUp }: WalletDetailsProps) {
  const { myTickets: text } = useText();
  const format = useFormat();
  const entries = usePagedList(`entries ${userId}`, (page, signal) =>
    api.get('/wallet/entries', { token, signal, keepsSession: true, query: page }),
  );
  return (
    <>
      <p>
        <span className="soft small">{text.balance}</span>
        <br />
        <strong className="balance">{format.money(balance, currency)}</strong>
      </p>
      <TopUp
        token={token}
        currency={currency}
        proposed={DEFAULT_TOP_UP}
        onDone={(next) => {
          onToppedUp(next);
          entries.loaded.reload();
        }}
      />
      <h3>{text.entries}</h3>
      <Loading of={entries.loaded}>
        {() => (
          <>
            {entries.items.length === 0 ? (
              <p className="soft">{text.noEntries}</p>
            ) : (
              <EntriesTable entries={entries.items} currency={currency} />
            )}
            <LoadMoreButton list={entries} />
          </>
        )}
      </Loading>
    </>
  );
}

function EntriesTable({
  entries,
  currency,
}: {
  readonly entries: readonly WalletEntry[];
  readonly currency: string;
}) {
  const { myTickets: text } = useText();
  const format = useFormat();
  return (
    <table className="table">
      <caption className="visually-hidden">{text.entries}</caption>
      <thead>
        <tr>
          <th scope="col">{text.entryType}</th>
          <th scope="col" className="number">
            {text.amount}
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td>
              {text.entryTypes[entry.type]}
              <br />
              <span className="soft small">{format.date(entry.createdAt)}</span>
            </td>
            <td className="number">
              <strong>
                {entry.amount > 0 && '+'}
                {format.money(entry.amount, currency)}
              </strong>
              <br />
              <span className="soft small">
                {text.balanceAfter(format.money(entry.balanceAfter, currency))}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
