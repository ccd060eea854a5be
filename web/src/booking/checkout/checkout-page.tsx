import { api, type Reservation } from '../../api/index.js';
import { Link } from '../../app/link.js';
import { PageTitle } from '../../app/page-title.js';
import { useText } from '../../i18n/index.js';
import { type Account, RequireAccount } from '../../session/index.js';
import { Button, ErrorNotice, Loading, Notice, useAction, useLoaded } from '../../ui/index.js';
import { BookingFacts } from './booking-facts.js';
import { PayForSeats } from './pay-for-seats.js';
import { SeatTable } from './seat-table.js';
import { showReceipt } from './show-receipt.js';

export function CheckoutPage({ id }: { readonly id: string }) {
  return <RequireAccount>{(account) => <Checkout id={id} account={account} />}</RequireAccount>;
}

function Checkout({ id, account }: { readonly id: string; readonly account: Account }) {
  const { checkout: text } = useText();
  const reservation = useLoaded(`reservation ${id}`, (signal) =>
    api.get('/reservations/{id}', { params: { id }, token: account.accessToken, signal }),
  );
  return (
    <section className="narrow stack">
      <PageTitle title={text.title}>{text.title}</PageTitle>
      <Loading of={reservation}>
        {(value) =>
          value.status === 'HELD' ? (
            <PayForSeats reservation={value} account={account} onEnded={reservation.reload} />
          ) : (
            <EndedReservation reservation={value} account={account} />
          )
        }
      </Loading>
    </section>
  );
}

/** A reservation that can no longer be paid: how it ended, and what to do next. */
function EndedReservation({
  reservation,
  account,
}: {
  readonly reservation: Reservation;
  readonly account: Account;
}) {
  const { checkout: text } = useText();
  const show = useAction(() => showReceipt(reservation.id, account.accessToken));
  if (reservation.status === 'CONFIRMED') {
    return (
      <>
        <Notice tone="good">{text.confirmed}</Notice>
        {show.error !== undefined && <ErrorNotice error={show.error} />}
        <Button busy={show.busy} onClick={() => show.run()}>
          {text.toReceipt}
        </Button>
      </>
    );
  }
  return (
    <>
      <Notice tone="warn">{reservation.status === 'EXPIRED' ? text.expired : text.cancelled}</Notice>
      <div className="card stack">
        <BookingFacts of={reservation} />
        <SeatTable seats={reservation.seats} currency={reservation.currency} caption={text.seats} />
      </div>
      <Link
        className="button button-primary"
        href={`/concerts/${reservation.concertId}/dates/${reservation.scheduleId}`}
      >
        {text.chooseAgain}
      </Link>
    </>
  );
}
