import { api, type Receipt } from '../../api/index.js';
import { Link } from '../../app/link.js';
import { PageTitle } from '../../app/page-title.js';
import { useFormat, useText } from '../../i18n/index.js';
import { type Account, RequireAccount } from '../../session/index.js';
import { Button, Loading, Notice, useLoaded } from '../../ui/index.js';
import { BookingFacts } from './booking-facts.js';
import { QrCode } from './qr-code.js';
import { SeatTable } from './seat-table.js';

export function ReceiptPage({ id }: { readonly id: string }) {
  return <RequireAccount>{(account) => <LoadedReceipt id={id} account={account} />}</RequireAccount>;
}

function LoadedReceipt({ id, account }: { readonly id: string; readonly account: Account }) {
  const receipt = useLoaded(`receipt ${id}`, (signal) =>
    api.get('/payments/{id}', { params: { id }, token: account.accessToken, signal }),
  );
  return (
    <Loading of={receipt}>{(value) => <ReceiptView receipt={value} buyer={account.user.name} />}</Loading>
  );
}

function ReceiptView({ receipt, buyer }: { readonly receipt: Receipt; readonly buyer: string }) {
  const { receipt: text, common } = useText();
  const { number, concert, seats, amount, currency, refundedAt } = receipt;
  const format = useFormat(concert.timeZone);
  return (
    <section className="narrow receipt stack">
      <PageTitle title={`${text.title} ${number}`}>{text.title}</PageTitle>
      {refundedAt !== null && <Notice tone="warn">{text.refunded(format.date(refundedAt))}</Notice>}
      <article className={refundedAt === null ? 'ticket' : 'ticket ticket-void'}>
        <div className="ticket-main stack">
          <BookingFacts of={receipt}>
            <dt>{text.buyer}</dt>
            <dd>{buyer}</dd>
            <dt>{text.number}</dt>
            <dd className="receipt-number">{number}</dd>
            <dt>{text.paidAt}</dt>
            <dd>{format.date(receipt.paidAt)}</dd>
          </BookingFacts>
        </div>
        <div className="ticket-stub">
          {refundedAt === null ? (
            <>
              <QrCode text={number} label={text.qr(number)} />
              <p className="soft small">{text.showAtEntrance}</p>
            </>
          ) : (
            <>
              <p className="void-stamp">{text.void}</p>
              <p className="soft small">{text.voidHint}</p>
            </>
          )}
        </div>
        <div className="ticket-bill">
          <SeatTable seats={seats} currency={currency} caption={text.title} />
          <dl className="sums">
            <div className="sums-total">
              <dt>{text.total}</dt>
              <dd>{format.money(amount, currency)}</dd>
            </div>
            <div>
              <dt>{text.balanceAfter}</dt>
              <dd>{format.money(receipt.balanceAfter, currency)}</dd>
            </div>
          </dl>
        </div>
        {refundedAt !== null && <VoidCross />}
      </article>
      <div className="row no-print">
        <Button onClick={() => print()}>{text.print}</Button>
        <Link className="button button-quiet" href="/mine">
          {common.myTickets}
        </Link>
      </div>
    </section>
  );
}

/** Crosses the ticket out. Drawn as lines: browsers do not print backgrounds. */
const VoidCross = () => (
  <svg className="void-cross" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
    <path d="M0 0 100 100M0 100 100 0" vectorEffect="non-scaling-stroke" />
  </svg>
);
