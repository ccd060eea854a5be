import { type SubmitEvent, useRef, useState } from 'react';
import { toast } from '../../app/toasts.js';
import { useFormat } from '../../i18n/index.js';
import { useAction } from '../../ui/index.js';
import { type ConcertEdit, operatorApi, type OperatorConcertDetails } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';
import { DetailsFields, SaleTimeFields } from './details-fields.js';
import { factsOf } from './facts/facts-draft.js';
import { PosterField } from './facts/poster-field.js';
import { useValidators } from './validators.js';
import { type DetailsDraft, toDetails } from './concert-draft.js';
import { validateDetails, countErrors } from './validate-concert.js';
import { DatesOverview } from './dates-overview.js';
import { placeDetailsFaults } from './place-faults.js';
import { FaultPlacer } from './server-faults.js';
import { SubmitBar } from './submit-bar.js';
import { toLocalTime } from './local-time.js';

const draftOf = (concert: OperatorConcertDetails): DetailsDraft => ({
  title: concert.title,
  venue: concert.venue,
  description: concert.description,
  timeZone: concert.timeZone,
  salesOpenAt: toLocalTime(concert.salesOpenAt, concert.timeZone),
  salesCloseAt: toLocalTime(concert.salesCloseAt, concert.timeZone),
  ...factsOf(concert),
});

/**
 * Only the fields that changed: a time input drops seconds, which must not alter an untouched time. In another time zone, a
 * typed time is another time.
 */
function changedDetails(before: DetailsDraft, after: DetailsDraft): ConcertEdit {
  const unchanged = new Map<string, unknown>(Object.entries(toDetails(before)));
  return Object.fromEntries(
    Object.entries(toDetails(after)).filter(
      ([field, wanted]) => JSON.stringify(wanted) !== JSON.stringify(unchanged.get(field)),
    ),
  );
}

export function EditConcertPage({
  concert,
  onChanged,
}: {
  readonly concert: OperatorConcertDetails;
  readonly onChanged: (concert: OperatorConcertDetails) => void;
}) {
  const text = useOperatorText();
  const { form } = text;
  const { number } = useFormat();
  const validators = useValidators();
  // What the form started with: only what changed here is saved, also after another promoter has saved.
  const [before, setBefore] = useState(() => draftOf(concert));
  const [about, setAbout] = useState(before);
  const [attempts, setAttempts] = useState(0);
  const element = useRef<HTMLFormElement>(null);
  const save = useAction(async () => {
    const edited = await operatorApi.edit(concert.id, changedDetails(before, about));
    const next = { ...concert, ...edited };
    onChanged(next);
    setBefore(draftOf(next));
    setAbout(draftOf(next));
    toast(form.saved, 'good');
  });
  const found = validateDetails(about, { validators, text, number, currency: concert.currency });
  const refused = new FaultPlacer(save.error, form.refused);
  const errors = attempts > 0 ? placeDetailsFaults(found, refused) : {};
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    setAttempts(attempts + 1);
    if (countErrors(found) === 0) save.run();
  }
  function change(part: Partial<DetailsDraft>): void {
    setAbout((old) => ({ ...old, ...part }));
    // What the server refused may be mended now.
    if (save.error !== undefined) save.clear();
  }
  return (
    <>
      <form ref={element} className="stack op-form" noValidate onSubmit={submit}>
        <div className="op-columns">
          <DetailsFields about={about} errors={errors} onChange={change} />
          <SaleTimeFields about={about} errors={errors} onChange={change} />
        </div>
        <SubmitBar
          label={form.save}
          busy={save.busy}
          form={element}
          attempts={attempts}
          error={save.error}
          leftOver={refused.leftOver}
        />
      </form>
      <PosterField concert={concert} onChanged={onChanged} />
      <DatesOverview concert={concert} />
    </>
  );
}
