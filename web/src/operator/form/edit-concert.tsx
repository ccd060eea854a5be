import { type SubmitEvent, useState } from 'react';
import { toast } from '../../app/toasts.js';
import { useFormat } from '../../i18n/index.js';
import { useAction } from '../../ui/index.js';
import { type ConcertEdit, desk as server, type DeskConcertWithDates } from '../desk.js';
import { useOperatorText } from '../texts/index.js';
import { AboutFields, SaleTimeFields } from './about-fields.js';
import { useChecks } from './checks.js';
import { type AboutDraft, toAbout } from './concert-draft.js';
import { aboutFaults, countFaults } from './concert-faults.js';
import { DatesOverview } from './dates-overview.js';
import { SubmitBar, useFirstFault } from './submit-bar.js';
import { toLocalTime } from './times.js';

const draftOf = (concert: DeskConcertWithDates): AboutDraft => ({
  title: concert.title,
  venue: concert.venue,
  description: concert.description,
  salesOpenAt: toLocalTime(concert.salesOpenAt),
  salesCloseAt: toLocalTime(concert.salesCloseAt),
});

/** Only what was changed here: a time input knows no seconds, and must not cut those it was not meant to touch. */
function editOf(before: AboutDraft, after: AboutDraft): ConcertEdit {
  const wanted = Object.entries(toAbout(after));
  return Object.fromEntries(
    wanted.filter(([field]) => before[field as keyof AboutDraft] !== after[field as keyof AboutDraft]),
  );
}

export function EditConcert({
  concert,
  onChanged,
}: {
  readonly concert: DeskConcertWithDates;
  readonly onChanged: (concert: DeskConcertWithDates) => void;
}) {
  const text = useOperatorText();
  const { form } = text;
  const { number } = useFormat();
  const checks = useChecks();
  const before = draftOf(concert);
  const [about, setAbout] = useState(before);
  const [attempts, setAttempts] = useState(0);
  const element = useFirstFault(attempts);
  const save = useAction(async () => {
    const edited = await server.edit(concert.id, editOf(before, about));
    const next = { ...concert, ...edited };
    onChanged(next);
    setAbout(draftOf(next));
    toast(form.saved, 'good');
  });
  const found = aboutFaults(about, { checks, text, number, currency: concert.currency });
  const faults = attempts > 0 ? found : {};
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    setAttempts(attempts + 1);
    if (countFaults(found) === 0) save.run();
  }
  const change = (part: Partial<AboutDraft>): void => setAbout((old) => ({ ...old, ...part }));
  return (
    <>
      <form ref={element} className="stack op-form" noValidate onSubmit={submit}>
        <div className="op-columns">
          <AboutFields about={about} faults={faults} onChange={change} />
          <SaleTimeFields about={about} faults={faults} onChange={change} />
        </div>
        <SubmitBar label={form.save} busy={save.busy} faults={countFaults(faults)} error={save.error} />
      </form>
      <DatesOverview concert={concert} />
    </>
  );
}
