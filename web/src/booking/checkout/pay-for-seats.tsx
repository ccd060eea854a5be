import { useEffect, useState } from 'react';
import { api, createIdempotentCall, isProblem, type Reservation } from '../../api/index.js';
import { Link } from '../../app/link.js';
import { navigate } from '../../app/router.js';
import { toast } from '../../app/toasts.js';
import { useFormat, useText } from '../../i18n/index.js';
import { type Account, places, usePlace } from '../../session/index.js';
import { Button, Countdown, ErrorNotice, Loading, Notice, useAction, useLoaded } from '../../ui/index.js';
import { BookingFacts } from './booking-facts.js';
import { ReleaseSeats } from './release-seats.js';
import { SeatTable } from './seat-table.js';
import { TopUp } from './top-up.js';
import { earlierOf } from '../earlier-of.js';
import { myHolds } from '../my-holds.js';
import { useActivePlace } from '../use-active-place.js';
import { loadWallet } from './load-wallet.js';

interface Props {
  readonly reservation: Reservation;
  readonly account: Account;
  /** The hold has expired, or another tab has ended it. */
  readonly onEnded: () => void;
}

/** The proposed top-up is rounded up to a multiple of this. */
const TOP_UP_STEP = 10_000;

/** Pays a held reservation. The countdown runs to whichever expires first, the hold or the place. */
export function PayForSeats({ reservation, account, onEnded }: Props) {
  const { checkout: text, waiting } = useText();
  const format = useFormat();
  const { id, concertId, amount, currency } = reservation;
  const queueToken = usePlace(concertId);
  const { place, ended } = useActivePlace(queueToken);
  const isActive = place?.status === 'ACTIVE';
  const token = isActive && queueToken !== undefined ? queueToken : account.accessToken;
  const wallet = useLoaded(`wallet ${account.user.id}`, (signal) =>
    loadWallet([account.accessToken, ...(queueToken === undefined ? [] : [queueToken])], signal),
  );
  const [callOnce] = useState(createIdempotentCall);

  const pay = useAction(async () => {
    try {
      const receipt = await callOnce({ id }, (idempotencyKey) =>
        api.post('/payments', { body: { reservationId: id }, token, idempotencyKey }),
      );
      places.remove(concertId);
      myHolds.remove(id);
      toast(text.paid, 'good');
      navigate(`/receipts/${receipt.id}`, { replace: true });
    } catch (error) {
      if (isProblem(error, 'NOT_ENOUGH_BALANCE')) wallet.reload();
      if (isProblem(error, 'RESERVATION_EXPIRED') || isProblem(error, 'RESERVATION_NOT_HELD')) onEnded();
      throw error;
    }
  });
  // The place may have ended because another tab paid: reload the reservation to find out.
  const hasEnded = ended !== undefined;
  useEffect(() => {
    if (hasEnded) onEnded();
  }, [hasEnded, onEnded]);

  const until = earlierOf(reservation.expiresAt, isActive ? place.expiresAt : null);
  return (
    <>
      <div className="card pay-clock">
        <Countdown until={until} label={text.payWithin} onEnd={onEnded} />
      </div>
      {ended?.reason === 'EXPIRED' && (
        <Notice
          tone="warn"
          actions={
            <Link className="button button-quiet" href={`/concerts/${concertId}/waiting`}>
              {waiting.rejoin}
            </Link>
          }
        >
          {text.placeEnded}
        </Notice>
      )}
      <div className="card stack">
        <BookingFacts of={reservation} />
        <SeatTable seats={reservation.seats} currency={currency} caption={text.seats} />
        <Loading of={wallet}>
          {({ balance, token: walletToken }) => (
            <>
              <AmountSummary amount={amount} balance={balance} currency={currency} />
              {balance < amount && (
                <Notice tone="warn" title={text.missing(format.money(amount - balance, currency))}>
                  <TopUp
                    key={balance}
                    token={walletToken}
                    currency={currency}
                    proposed={Math.ceil((amount - balance) / TOP_UP_STEP) * TOP_UP_STEP}
                    onDone={(next) => wallet.update(() => ({ ...next, token: walletToken }))}
                  />
                </Notice>
              )}
              {pay.error !== undefined && <ErrorNotice error={pay.error} />}
              <Button
                className="button-large button-wide"
                busy={pay.busy}
                disabled={balance < amount}
                onClick={() => pay.run()}
              >
                {text.pay(format.money(amount, currency))}
              </Button>
            </>
          )}
        </Loading>
      </div>
      <ReleaseSeats
        reservation={reservation}
        token={account.accessToken}
        onReleased={() =>
          navigate(`/concerts/${concertId}/dates/${reservation.scheduleId}`, { replace: true })
        }
      />
    </>
  );
}

interface AmountSummaryProps {
  readonly amount: number;
  readonly balance: number;
  readonly currency: string;
}

function AmountSummary({ amount, balance, currency }: AmountSummaryProps) {
  const { checkout: text } = useText();
  const format = useFormat();
  return (
    <dl className="sums">
      <div className="sums-total">
        <dt>{text.total}</dt>
        <dd>{format.money(amount, currency)}</dd>
      </div>
      <div>
        <dt>{text.balance}</dt>
        <dd>{format.money(balance, currency)}</dd>
      </div>
      {balance >= amount && (
        <div>
          <dt>{text.balanceAfter}</dt>
          <dd>{format.money(balance - amount, currency)}</dd>
        </div>
      )}
    </dl>
  );
}
