import type { Reservation } from '../api/index.js';
import { Link } from '../app/link.js';
import { ReleaseSeats } from '../booking/checkout/release-seats.js';
import { useFormat, useText } from '../i18n/index.js';
import type { Account } from '../session/index.js';
import { Countdown } from '../ui/index.js';
import { BarRow } from './bar-row.js';

interface Props {
  readonly hold: Reservation;
  readonly account: Account;
  /** While choosing seats, the fan may rather want other ones. */
  readonly canRelease: boolean;
  readonly onEnd: () => void;
}

/** Seats that the fan holds and has not paid for. */
export function HoldRow({ hold, account, canRelease, onEnd }: Props) {
  const { placeBar: text, checkout } = useText();
  const format = useFormat();
  return (
    <BarRow
      concertId={hold.concertId}
      note={text.heldForYou}
      time={<Countdown until={hold.expiresAt} label={checkout.payWithin} onEnd={onEnd} />}
      actions={
        <>
          {canRelease && <ReleaseSeats reservation={hold} token={account.accessToken} label={text.release} />}
          <Link className="button button-primary" href={`/checkout/${hold.id}`}>
            {text.pay}
          </Link>
        </>
      }
    >
      {text.held(hold.seats.length, format.seats(hold.seats))}
    </BarRow>
  );
}
