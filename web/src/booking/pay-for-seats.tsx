import { useEffect, useState } from 'react';
import { api, createIntent, isProblem, type Reservation } from '../api/index.js';
import { Link } from '../app/link.js';
import { navigate } from '../app/router.js';
import { toast } from '../app/toasts.js';
import { useFormat, useText } from '../i18n/index.js';
import { type Account, places, usePlace } from '../session/index.js';
import { Button, Countdown, Failure, Loading, Notice, useAction, useLoaded } from '../ui/index.js';
import { Release } from './release.js';
import { SeatTable } from './seat-table.js';
import { TopUp } from './top-up.js';
import { useStay } from './use-stay.js';
import { openWallet } from './wallet-access.js';

interface Props {
  readonly reservation: Reservation;
  readonly account: Account;
  /** The hold has run out, or somebody else of us has ended it. */
  readonly onOver: () => void;
}

/** Top-ups are proposed in whole steps: nobody charges 3 won. */
const TOP_UP_STEP = 10_000;

const earlier = (one: string, other: string | null | undefined): string =>
  other !== null && other !== undefined && Date.parse(other) < Date.parse(one) ? other : one;

/** Pays a reservation that is held. The place and the hold both run out: the nearer end counts. */
export function PayForSeats({ reservation, account, onOver }: Props) {
  const { checkout: text, waiting } = useText();
  const format = useFormat();
  const { id, concertId, amount, currency } = reservation;
  const queueToken = usePlace(concertId);
  const { place, over } = useStay(queueToken);
  const isInside = place?.status === 'ACTIVE';
  const token = isInside && queueToken !== undefined ? queueToken : account.accessToken;
  const wallet = useLoaded(`wallet ${account.user.id}`, (signal) =>
    openWallet([account.accessToken, ...(queueToken === undefined ? [] : [queueToken])], signal),
  );
  const [intent] = useState(createIntent);

  const pay = useAction(async () => {
    try {
      const receipt = await intent({ id }, (idempotencyKey) =>
        api.post('/payments', { body: { reservationId: id }, token, idempotencyKey }),
      );
      places.forget(concertId);
      toast(text.paid, 'good');
      navigate(`/receipts/${receipt.id}`, { replace: true });
    } catch (error) {
      if (isProblem(error, 'NOT_ENOUGH_BALANCE')) wallet.reload();
      if (isProblem(error, 'RESERVATION_EXPIRED') || isProblem(error, 'RESERVATION_NOT_HELD')) onOver();
      throw error;
    }
  });
  // The place is over, and yet the hold may have been paid from another tab: the reservation knows.
  const isOver = over !== undefined;
  useEffect(() => {
    if (isOver) onOver();
  }, [isOver, onOver]);

  const until = earlier(reservation.expiresAt, isInside ? place.expiresAt : null);
  return (
    <>
      <div className="card pay-clock">
        <Countdown until={until} label={text.payWithin} onEnd={onOver} />
      </div>
      {over?.reason === 'EXPIRED' && (
        <Notice
          tone="warn"
          actions={
            <Link className="button button-quiet" href={`/concerts/${concertId}/waiting`}>
              {waiting.rejoin}
            </Link>
          }
        >
          {text.placeOver}
        </Notice>
      )}
      <div className="card stack">
        <h2>{text.seats}</h2>
        <SeatTable seats={reservation.seats} currency={currency} caption={text.seats} />
        <Loading of={wallet}>
          {({ balance, token: walletToken }) => (
            <>
              <Sums amount={amount} balance={balance} currency={currency} />
              {balance < amount && (
                <Notice tone="warn" title={text.short(format.money(amount - balance, currency))}>
                  <TopUp
                    key={balance}
                    token={walletToken}
                    currency={currency}
                    proposed={Math.ceil((amount - balance) / TOP_UP_STEP) * TOP_UP_STEP}
                    onDone={(next) => wallet.update(() => ({ ...next, token: walletToken }))}
                  />
                </Notice>
              )}
              {pay.error !== undefined && <Failure error={pay.error} />}
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
      <Release reservation={reservation} token={account.accessToken} />
    </>
  );
}

interface SumsProps {
  readonly amount: number;
  readonly balance: number;
  readonly currency: string;
}

function Sums({ amount, balance, currency }: SumsProps) {
  const { checkout: text } = useText();
  const format = useFormat();
  return (
    <dl className="sums">
      <div className="sums-total">
        <dt>{text.sum}</dt>
        <dd>{format.money(amount, currency)}</dd>
      </div>
      <div>
        <dt>{text.balance}</dt>
        <dd>{format.money(balance, currency)}</dd>
      </div>
      {balance >= amount && (
        <div>
          <dt>{text.after}</dt>
          <dd>{format.money(balance - amount, currency)}</dd>
        </div>
      )}
    </dl>
  );
}
