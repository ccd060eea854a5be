import { type ReactNode, useState } from 'react';
import { createIntent, isProblem } from '../../api/index.js';
import { toast } from '../../app/toasts.js';
import { formatSeats, useFormat } from '../../i18n/index.js';
import { ConfirmDialog, Notice } from '../../ui/index.js';
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
  const [intent] = useState(createIntent);
  const money = format.money(payment.amount, payment.currency);
  const refund = async (): Promise<void> => {
    const { refundedAt } = await intent(payment.id, (key) => server.refund(payment.id, key));
    onRefunded(refundedAt);
    toast(sales.done(money, payment.user.name), 'good');
    onClose();
  };
  // What these refusals mean to a promoter; to a fan they mean another thing.
  const explain = (error: unknown): ReactNode => {
    if (isProblem(error, 'PAYMENT_NOT_FOUND')) return <Notice tone="bad">{sales.notThere}</Notice>;
    if (isProblem(error, 'BALANCE_LIMIT_EXCEEDED')) return <Notice tone="bad">{sales.walletFull}</Notice>;
    return undefined;
  };
  return (
    <ConfirmDialog
      title={sales.askRefund}
      keep={sales.keepPayment}
      yes={sales.yesRefund(money)}
      isGrave
      work={refund}
      onClose={onClose}
      explain={explain}
    >
      <p>{sales.refundSays(money, payment.user.name, payment.user.email)}</p>
      <p>{sales.seatsFree(formatSeats(payment.seats))}</p>
      <p>
        <strong>{sales.noUndo}</strong>
      </p>
    </ConfirmDialog>
  );
}
