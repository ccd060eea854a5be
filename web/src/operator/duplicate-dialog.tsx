import { useState } from 'react';
import { postOperatorConcertsByIdDuplicateLimits } from '../api/generated/limits.js';
import { createIntent } from '../api/index.js';
import { toast } from '../app/toasts.js';
import { navigate } from '../app/router.js';
import { useText } from '../i18n/index.js';
import { Button, Dialog, Failure, Field, useAction } from '../ui/index.js';
import { desk as server, type DeskConcertWithDates } from './desk.js';
import { useChecks } from './form/checks.js';
import { useOperatorText } from './texts/index.js';

const LIMITS = postOperatorConcertsByIdDuplicateLimits.body;

export function DuplicateDialog({
  concert,
  onClose,
}: {
  readonly concert: DeskConcertWithDates;
  readonly onClose: () => void;
}) {
  const { common } = useText();
  const { desk } = useOperatorText();
  const checks = useChecks();
  const [title, setTitle] = useState(concert.title);
  const [days, setDays] = useState('7');
  const [asked, setAsked] = useState(false);
  const [intent] = useState(createIntent);
  const duplicate = useAction(async () => {
    const body = { title: title.trim(), shiftDays: Number(days) };
    const { id } = await intent(body, (key) => server.duplicate(concert.id, body, key));
    toast(desk.duplicated(body.title), 'good');
    onClose();
    navigate(`/operator/concerts/${id}/details`);
  });
  const faults = {
    title: checks.line(title, LIMITS.title),
    days: checks.whole(days, LIMITS.shiftDays),
  };
  return (
    <Dialog
      title={desk.duplicateOf(concert.title)}
      onClose={onClose}
      actions={
        <>
          <Button tone="quiet" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button
            busy={duplicate.busy}
            onClick={() => {
              setAsked(true);
              if (faults.title === undefined && faults.days === undefined) duplicate.run();
            }}
          >
            {desk.duplicate}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>{desk.duplicateHint}</p>
        <Field
          label={desk.duplicateTitle}
          value={title}
          onChange={setTitle}
          error={asked ? faults.title : undefined}
        />
        <Field
          label={desk.shiftDays}
          hint={desk.shiftDaysHint}
          inputMode="numeric"
          value={days}
          onChange={setDays}
          error={asked ? faults.days : undefined}
        />
        {duplicate.error !== undefined && <Failure error={duplicate.error} />}
      </div>
    </Dialog>
  );
}
