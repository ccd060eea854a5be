import { type ReactNode, useState } from 'react';
import { createIdempotentCall, isProblem } from '../../api/index.js';
import { toast } from '../../app/toasts.js';
import { useFormat } from '../../i18n/index.js';
import { ConfirmDialog, Notice } from '../../ui/index.js';
import { operatorApi, type PaymentEntry } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';

interface Props {
  readonly payment: PaymentEntry;
  readonly onClose: () => void;
  readonly onRefunded: (refundedAt: string) => void;
}

/** Confirms a refund. Repeated presses refund once. */
export function RefundDialog({ payment, onClose, onRefunded }: Props) {
  const { sales } = useOperatorText();
  const format = useFormat();
  const [callOnce] = useState(createIdempotentCall);
  const money = format.money(payment.amount, payment.currency);
  const refund = async (): Promise<void> => {
    const { refundedAt } = await callOnce(payment.id, (key) => operatorApi.refund(payment.id, key));
    onRefunded(refundedAt);
    toast(sales.done(money, payment.user.name), 'good');
    onClose();
  };
  // The general texts of these refusals address fans.
  const explain = (error: unknown): ReactNode => {
    if (isProblem(error, 'PAYMENT_NOT_FOUND')) return <Notice tone="bad">{sales.paymentNotFound}</Notice>;
    if (isProblem(error, 'BALANCE_LIMIT_EXCEEDED')) return <Notice tone="bad">{sales.walletFull}</Notice>;
    return undefined;
  };
  return (
    <ConfirmDialog
      title={sales.askRefund}
      cancelLabel={sales.keepPayment}
      confirmLabel={sales.confirmRefund(money)}
      isDestructive
      action={refund}
      onClose={onClose}
      explain={explain}
    >
      <p>{sales.refundConsequence(money, payment.user.name, payment.user.email)}</p>
      <p>{sales.seatsConsequence(format.seats(payment.seats))}</p>
      <p>
        <strong>{sales.noUndo}</strong>
      </p>
    </ConfirmDialog>
  );
}
