import { api, type WalletEntry } from '../api/index.js';
import { TopUp } from '../booking/top-up.js';
import { useFormat, useText } from '../i18n/index.js';
import { Loading, More, useList, useLoaded } from '../ui/index.js';

const USUAL_TOP_UP = 100_000;

/** The balance, topping it up, and every movement. */
export function WalletSection({ token, userId }: { readonly token: string; readonly userId: string }) {
  const { mine: text } = useText();
  const format = useFormat();
  const wallet = useLoaded(`wallet ${userId}`, (signal) => api.get('/wallet', { token, signal }));
  const entries = useList(`entries ${userId}`, (cursor, signal) =>
    api.get('/wallet/entries', { token, signal, query: cursor === undefined ? {} : { cursor } }),
  );
  return (
    <section className="card stack wallet">
      <h2>{text.wallet}</h2>
      <Loading of={wallet}>
        {({ balance, currency }) => (
          <>
            <p>
              <span className="soft small">{text.balance}</span>
              <br />
              <strong className="balance">{format.money(balance, currency)}</strong>
            </p>
            <TopUp
              token={token}
              currency={currency}
              proposed={USUAL_TOP_UP}
              onDone={(next) => {
                wallet.put(next);
                entries.first.reload();
              }}
            />
            <h3>{text.entries}</h3>
            <Loading of={entries.first}>
              {() => (
                <>
                  {entries.items.length === 0 ? (
                    <p className="soft">{text.noEntries}</p>
                  ) : (
                    <Entries entries={entries.items} currency={currency} />
                  )}
                  <More list={entries} />
                </>
              )}
            </Loading>
          </>
        )}
      </Loading>
    </section>
  );
}

function Entries({
  entries,
  currency,
}: {
  readonly entries: readonly WalletEntry[];
  readonly currency: string;
}) {
  const { mine: text } = useText();
  const format = useFormat();
  return (
    <table className="table">
      <caption className="visually-hidden">{text.entries}</caption>
      <thead>
        <tr>
          <th scope="col">{text.what}</th>
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
              <span className="soft small">{text.after(format.money(entry.balanceAfter, currency))}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
