import { useState } from 'react';
import { isProblem, newKey, withRetries } from '../../api/index.js';
import { toast } from '../../app/toasts.js';
import { useFormat } from '../../i18n/index.js';
import { Button, Dialog, Failure, Notice, useAction } from '../../ui/index.js';
import { desk as server, type SoldPayment } from '../desk.js';
import { useOperatorText } from '../texts/index.js';

interface Props {
  readonly payment: SoldPayment;
  readonly onClose: () => void;
  readonly onRefunded: (refundedAt: string) => void;
}

/** What these refusals mean to a promoter; to a fan they mean another thing. */
function RefundFailure({ error }: { readonly error: unknown }) {
  const { sales } = useOperatorText();
  if (isProblem(error, 'PAYMENT_NOT_FOUND')) return <Notice tone="bad">{sales.notThere}</Notice>;
  if (isProblem(error, 'BALANCE_LIMIT_EXCEEDED')) return <Notice tone="bad">{sales.walletFull}</Notice>;
  return <Failure error={error} />;
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
        {refund.error !== undefined && <RefundFailure error={refund.error} />}
      </div>
    </Dialog>
  );
}
