import type { ReactNode } from 'react';
import { Link } from '../../app/link.js';
import { useFormat, useText } from '../../i18n/index.js';
import { Button, Dialog, Loading, useLoaded } from '../../ui/index.js';
import { operatorApi, type OperatorConcertDetails, type SeatOwner } from '../operator-api.js';
import { Buyer } from '../sales/cells.js';
import { useOperatorText } from '../texts/index.js';

interface Props {
  readonly concert: OperatorConcertDetails;
  readonly scheduleId: string;
  readonly seat: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
}

function Owner({ seat, concert }: { readonly seat: SeatOwner; readonly concert: OperatorConcertDetails }) {
  const { breakdown, sales, seatOwner } = useOperatorText();
  const format = useFormat();
  const { reservation, payment } = seat;
  const facts: readonly (readonly [name: string, value: ReactNode] | false)[] = [
    [sales.status, seatOwner.states[seat.status]],
    [breakdown.grade, `${format.grade(seat.grade)} · ${format.money(seat.price, concert.currency)}`],
    reservation !== null && [sales.buyer, <Buyer key="buyer" user={reservation.user} />],
    reservation !== null && [seatOwner.reservation, format.seats(reservation.seats)],
    reservation?.status === 'HELD' && [seatOwner.heldUntil, format.date(reservation.expiresAt)],
    payment !== null && [sales.paidAt, format.date(payment.paidAt)],
    payment !== null && [sales.number, payment.number],
  ];
  const list = payment === null ? 'reservations' : 'payments';
  const q = encodeURIComponent(payment?.number ?? reservation?.user.email ?? '');
  return (
    <div className="stack-small">
      <dl className="op-facts">
        {facts.map(
          (fact) =>
            fact !== false && (
              <div key={fact[0]}>
                <dt>{fact[0]}</dt>
                <dd>{fact[1]}</dd>
              </div>
            ),
        )}
      </dl>
      {reservation === null && <p>{seatOwner.free}</p>}
      {reservation !== null && (
        <Link href={`/operator/concerts/${concert.id}/${list}?q=${q}`}>
          {payment === null ? seatOwner.openReservation : seatOwner.openPayment}
        </Link>
      )}
    </div>
  );
}

/** Who has a seat, with a link to the payment. */
export function SeatOwnerDialog({ concert, scheduleId, seat, onClose }: Props) {
  const { common } = useText();
  const owner = useLoaded(`seat ${seat.id}`, (signal) => operatorApi.seatOwner(scheduleId, seat.id, signal));
  return (
    <Dialog
      title={seat.name}
      onClose={onClose}
      actions={
        <Button tone="quiet" onClick={onClose}>
          {common.close}
        </Button>
      }
    >
      <Loading of={owner}>{(value) => <Owner seat={value} concert={concert} />}</Loading>
    </Dialog>
  );
}
