import { useState } from 'react';
import { api, createIdempotentCall, type Wallet } from '../../api/index.js';
import { toast } from '../../app/toasts.js';
import { decimalsOf, useFormat, useText } from '../../i18n/index.js';
import { Button, ErrorNotice, Field, useAction } from '../../ui/index.js';

interface Props {
  readonly token: string;
  readonly currency: string;
  /** The amount the field starts with. */
  readonly proposed: number;
  readonly onDone: (wallet: Wallet) => void;
}

/** The typed amount in the minor unit; undefined if it is not a valid amount. */
function parseAmount(typed: string, digits: number): number | undefined {
  const amount = Number(typed.replaceAll(/[\s,]/g, '')) * 10 ** digits;
  const whole = Math.round(amount);
  return Number.isSafeInteger(whole) && Math.abs(amount - whole) < 1e-6 && whole > 0 ? whole : undefined;
}

/** A form that tops up the wallet within the page. */
export function TopUp({ token, currency, proposed, onDone }: Props) {
  const { checkout: text } = useText();
  const format = useFormat();
  const digits = decimalsOf(currency);
  const [typed, setTyped] = useState(() => format.number(proposed / 10 ** digits));
  const [isWrong, setIsWrong] = useState(false);
  const [callOnce] = useState(createIdempotentCall);
  const charge = useAction(async (amount: number) => {
    const wallet = await callOnce({ amount }, (idempotencyKey) =>
      api.post('/wallet/charges', { body: { amount }, token, idempotencyKey, keepsSession: true }),
    );
    toast(text.toppedUp(format.money(wallet.balance, wallet.currency)), 'good');
    onDone(wallet);
  });
  return (
    <form
      className="top-up"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const amount = parseAmount(typed, digits);
        setIsWrong(amount === undefined);
        if (amount !== undefined) charge.run(amount);
      }}
    >
      <Field
        label={text.topUpAmount}
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        onChange={setTyped}
        error={isWrong ? text.amountInvalid : undefined}
      />
      <Button type="submit" tone="quiet" busy={charge.busy}>
        {text.topUp}
      </Button>
      {charge.error !== undefined && <ErrorNotice error={charge.error} />}
    </form>
  );
}
