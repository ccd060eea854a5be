import { useState } from 'react';
import { postOperatorConcertsByIdDuplicateLimits } from '../api/generated/limits.js';
import { createIdempotentCall } from '../api/index.js';
import { toast } from '../app/toasts.js';
import { navigate } from '../app/router.js';
import { useText } from '../i18n/index.js';
import { Button, Dialog, ErrorNotice, Field, useAction } from '../ui/index.js';
import { operatorApi, type OperatorConcertDetails } from './operator-api.js';
import { useValidators } from './form/validators.js';
import { useOperatorText } from './texts/index.js';

const LIMITS = postOperatorConcertsByIdDuplicateLimits.body;

export function DuplicateDialog({
  concert,
  onClose,
}: {
  readonly concert: OperatorConcertDetails;
  readonly onClose: () => void;
}) {
  const { common } = useText();
  const { general } = useOperatorText();
  const validators = useValidators();
  const [title, setTitle] = useState(concert.title);
  const [days, setDays] = useState('7');
  const [wasSubmitted, setWasSubmitted] = useState(false);
  const [callOnce] = useState(createIdempotentCall);
  const duplicate = useAction(async () => {
    const body = { title: title.trim(), shiftDays: Number(days), draft: true };
    const { id } = await callOnce(body, (key) => operatorApi.duplicate(concert.id, body, key));
    toast(general.duplicated(body.title), 'good');
    onClose();
    navigate(`/operator/concerts/${id}`);
  });
  const errors = {
    title: validators.singleLine(title, LIMITS.title),
    days: validators.wholeNumber(days, LIMITS.shiftDays),
  };
  return (
    <Dialog
      title={general.duplicateOf(concert.title)}
      onClose={onClose}
      actions={
        <>
          <Button tone="quiet" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button
            busy={duplicate.busy}
            onClick={() => {
              setWasSubmitted(true);
              if (errors.title === undefined && errors.days === undefined) duplicate.run();
            }}
          >
            {general.duplicate}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p>{general.duplicateHint}</p>
        <Field
          label={general.duplicateTitle}
          value={title}
          onChange={setTitle}
          error={wasSubmitted ? errors.title : undefined}
        />
        <Field
          label={general.shiftDays}
          hint={general.shiftDaysHint}
          inputMode="numeric"
          value={days}
          onChange={setDays}
          error={wasSubmitted ? errors.days : undefined}
        />
        {duplicate.error !== undefined && <ErrorNotice error={duplicate.error} />}
      </div>
    </Dialog>
  );
}
