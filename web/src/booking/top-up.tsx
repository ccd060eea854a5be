import { useState } from 'react';
import { api, createIntent, type Wallet } from '../api/index.js';
import { toast } from '../app/toasts.js';
import { digitsOf, useFormat, useText } from '../i18n/index.js';
import { Button, Failure, Field, useAction } from '../ui/index.js';

interface Props {
  readonly token: string;
  readonly currency: string;
  /** What is proposed: what is missing, say. */
  readonly proposed: number;
  readonly onDone: (wallet: Wallet) => void;
}

/** What was typed, in the minor unit; undefined when it is no amount. */
function parseAmount(typed: string, digits: number): number | undefined {
  const amount = Number(typed.replaceAll(/[\s,]/g, '')) * 10 ** digits;
  const whole = Math.round(amount);
  return Number.isSafeInteger(whole) && Math.abs(amount - whole) < 1e-6 && whole > 0 ? whole : undefined;
}

/** Puts money into the wallet without leaving the page. */
export function TopUp({ token, currency, proposed, onDone }: Props) {
  const { checkout: text } = useText();
  const format = useFormat();
  const digits = digitsOf(currency);
  const [typed, setTyped] = useState(() => format.number(proposed / 10 ** digits));
  const [isWrong, setIsWrong] = useState(false);
  const [intent] = useState(createIntent);
  const charge = useAction(async (amount: number) => {
    const wallet = await intent({ amount }, (idempotencyKey) =>
      api.post('/wallet/charges', { body: { amount }, token, idempotencyKey, isGated: true }),
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
      {charge.error !== undefined && <Failure error={charge.error} />}
    </form>
  );
}
