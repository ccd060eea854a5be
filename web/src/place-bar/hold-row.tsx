import type { Reservation } from '../api/index.js';
import { Link } from '../app/link.js';
import { ReleaseSeats } from '../booking/checkout/release-seats.js';
import { earlierOf } from '../booking/earlier-of.js';
import { useActivePlace } from '../booking/use-active-place.js';
import { useFormat, useText } from '../i18n/index.js';
import { type Account, usePlace } from '../session/index.js';
import { Countdown } from '../ui/index.js';
import { BarRow } from './bar-row.js';

interface Props {
  readonly hold: Reservation;
  readonly account: Account;
  /** While choosing seats, the fan may rather want other ones, and their place may expire before the hold. */
  readonly isInside: boolean;
  readonly onEnd: () => void;
}

/** The row goes with its dialog, and the focus with both. */
const focusMain = (): void => {
  requestAnimationFrame(() => document.getElementById('main')?.focus({ preventScroll: true }));
};

/** Seats that the fan holds and has not paid for. */
export function HoldRow({ hold, account, isInside, onEnd }: Props) {
  const { placeBar: text, checkout } = useText();
  const format = useFormat();
  const token = usePlace(hold.concertId);
  const { place } = useActivePlace(isInside ? token : undefined);
  const until = earlierOf(hold.expiresAt, place?.status === 'ACTIVE' ? place.expiresAt : null);
  return (
    <BarRow
      title={hold.concert.title}
      note={text.heldForYou}
      time={
        <Countdown
          key={until}
          until={until}
          label={checkout.payWithin}
          // Seats stay held when only the place has expired.
          onEnd={until === hold.expiresAt ? onEnd : undefined}
        />
      }
      actions={
        <>
          {isInside && (
            <ReleaseSeats
              reservation={hold}
              token={account.accessToken}
              label={text.release}
              onReleased={focusMain}
            />
          )}
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
