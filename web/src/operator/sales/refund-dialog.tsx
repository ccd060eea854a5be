import { useState } from 'react';
import { newKey, withRetries } from '../../api/index.js';
import { toast } from '../../app/toasts.js';
import { useFormat } from '../../i18n/index.js';
import { Button, Dialog, Failure, useAction } from '../../ui/index.js';
import { desk as server, type SoldPayment } from '../desk.js';
import { useOperatorText } from '../texts/index.js';

interface Props {
  readonly payment: SoldPayment;
  readonly onClose: () => void;
  readonly onRefunded: (refundedAt: string) => void;
}

/** Asks once more, and names what will happen. However often it is pressed, the money goes back once. */
export function RefundDialog({ payment, onClose, onRefunded }: Props) {
  const { sales } = useOperatorText();
  const format = useFormat();
  const [key] = useState(newKey);
  const money = format.money(payment.amount, payment.currency);
  const refund = useAction(async () => {
    const { refundedAt } = await withRetries(() => server.refund(payment.id, key));
    onRefunded(refundedAt);
    toast(sales.done(money, payment.user.name), 'good');
    onClose();
  });
  return (
    <Dialog
      title={sales.askRefund}
      onClose={onClose}
      actions={
        <>
          <Button tone="quiet" onClick={onClose}>
            {sales.keepPayment}
          </Button>
          <Button tone="danger" busy={refund.busy} onClick={refund.run}>
            {sales.yesRefund(money)}
          </Button>
        </>
      }
    >
      <div className="stack-small">
        <p>{sales.refundSays(money, payment.user.name, payment.user.email)}</p>
        <p>{sales.seatsFree(payment.seats.map(({ label }) => label).join(', '))}</p>
        <p>
          <strong>{sales.noUndo}</strong>
        </p>
        {refund.error !== undefined && <Failure error={refund.error} />}
      </div>
    </Dialog>
  );
}
