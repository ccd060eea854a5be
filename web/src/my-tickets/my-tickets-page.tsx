import { api, type Receipt, type Reservation } from '../api/index.js';
import { Link } from '../app/link.js';
import { PageTitle } from '../app/page-title.js';
import { VerifyEmailHint } from '../mailed-links/verify-email-hint.js';
import { useFormat, useText } from '../i18n/index.js';
import { type Account, RequireAccount } from '../session/index.js';
import { Loading, LoadMoreButton, Notice, type PagedList, usePagedList, useServerNow } from '../ui/index.js';
import { WalletSection } from './wallet-section.js';

export function MyTicketsPage() {
  return <RequireAccount>{(account) => <MyTickets account={account} />}</RequireAccount>;
}

function MyTickets({ account: { accessToken: token, user } }: { readonly account: Account }) {
  const { myTickets: text, account: accountText } = useText();
  const reservations = usePagedList(`reservations ${user.id}`, (page, signal) =>
    api.get('/reservations', { token, signal, query: page }),
  );
  return (
    <div className="mine">
      <div className="title-row">
        <PageTitle title={text.title}>{text.title}</PageTitle>
        <Link className="button button-quiet" href="/account">
          {accountText.title}
        </Link>
      </div>
      <div className="mine-columns">
        <div className="stack">
          <VerifyEmailHint token={token} userId={user.id} />
          <HeldReservations reservations={reservations} />
          <Receipts token={token} userId={user.id} />
          <PastReservations reservations={reservations} />
        </div>
        <WalletSection token={token} userId={user.id} />
      </div>
    </div>
  );
}

function HeldReservations({ reservations }: { readonly reservations: PagedList<Reservation> }) {
  const { myTickets: text } = useText();
  const nowMs = useServerNow();
  const held = reservations.items.filter(
    ({ status, expiresAt }) => status === 'HELD' && Date.parse(expiresAt) > nowMs,
  );
  if (held.length === 0) return null;
  return (
    <section className="stack">
      <h2>{text.held}</h2>
      {held.map((reservation) => (
        <HeldReservation key={reservation.id} reservation={reservation} />
      ))}
    </section>
  );
}

function HeldReservation({ reservation }: { readonly reservation: Reservation }) {
  const { myTickets: text } = useText();
  const { id, concert, schedule, seats, amount, currency, expiresAt } = reservation;
  const format = useFormat(concert.timeZone);
  return (
    <div className="card item">
      <div>
        <h3>{concert.title}</h3>
        <p className="soft">
          {format.date(schedule.startsAt, 'full')} · {concert.venue}
        </p>
        <p>{format.seats(seats)}</p>
        <p className="soft">
          {format.money(amount, currency)} · {text.until(format.date(expiresAt, 'time'))}
        </p>
      </div>
      <Link className="button button-primary" href={`/checkout/${id}`}>
        {text.payNow}
      </Link>
    </div>
  );
}

function Receipts({ token, userId }: { readonly token: string; readonly userId: string }) {
  const { myTickets: text } = useText();
  const receipts = usePagedList(`receipts ${userId}`, (page, signal) =>
    api.get('/payments', { token, signal, query: page }),
  );
  return (
    <section className="stack">
      <h2>{text.receipts}</h2>
      <Loading of={receipts.loaded}>
        {() => (
          <>
            {receipts.items.length === 0 && <Notice>{text.noReceipts}</Notice>}
            {receipts.items.map((receipt) => (
              <ReceiptLink key={receipt.id} receipt={receipt} />
            ))}
            <LoadMoreButton list={receipts} />
          </>
        )}
      </Loading>
    </section>
  );
}

function ReceiptLink({ receipt }: { readonly receipt: Receipt }) {
  const { receipt: receiptText } = useText();
  const { id, number, concert, schedule, seats, amount, currency, refundedAt } = receipt;
  const format = useFormat(concert.timeZone);
  const isVoid = refundedAt !== null;
  return (
    <Link className={`card item item-link ${isVoid ? 'item-void' : ''}`} href={`/receipts/${id}`}>
      <div>
        <h3>{concert.title}</h3>
        {isVoid && <span className="tag tag-warn">{receiptText.void}</span>}
        <p className="soft">
          {format.date(schedule.startsAt, 'full')} · {concert.venue}
        </p>
        <p>{format.seats(seats)}</p>
        <p className="soft small">{number}</p>
      </div>
      <strong>{format.money(amount, currency)}</strong>
    </Link>
  );
}

/** Expired and released reservations. */
function PastReservations({ reservations }: { readonly reservations: PagedList<Reservation> }) {
  const { myTickets: text } = useText();
  const earlier = reservations.items.filter(({ status }) => status === 'EXPIRED' || status === 'CANCELLED');
  return (
    <Loading of={reservations.loaded}>
      {() =>
        earlier.length > 0 && (
          <details className="card">
            <summary>{text.earlier}</summary>
            <ul className="stack">
              {earlier.map((reservation) => (
                <PastReservation key={reservation.id} reservation={reservation} />
              ))}
            </ul>
            <LoadMoreButton list={reservations} />
          </details>
        )
      }
    </Loading>
  );
}

function PastReservation({ reservation }: { readonly reservation: Reservation }) {
  const { myTickets: text } = useText();
  const { concert, seats, status, createdAt } = reservation;
  const format = useFormat(concert.timeZone);
  return (
    <li className="row">
      <span className="tag">{text.statuses[status]}</span>
      <span>
        {concert.title} · {format.seats(seats)}
      </span>
      <span className="soft small">{format.date(createdAt)}</span>
    </li>
  );
}
