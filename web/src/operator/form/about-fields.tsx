import { Field } from '../../ui/index.js';
import { useOperatorText } from '../texts/index.js';
import type { AboutDraft } from './concert-draft.js';
import { TextArea } from './fields.js';
import { timeZoneName } from './times.js';

interface Props {
  readonly about: AboutDraft;
  readonly faults: Partial<Record<keyof AboutDraft, string | undefined>>;
  readonly onChange: (part: Partial<AboutDraft>) => void;
}

/** What fans read of a concert. */
export function AboutFields({ about, faults, onChange }: Props) {
  const { form } = useOperatorText();
  return (
    <section className="card stack-small">
      <h2>{form.about}</h2>
      <Field
        label={form.concertTitle}
        value={about.title}
        onChange={(title) => onChange({ title })}
        error={faults.title}
      />
      <Field
        label={form.venue}
        value={about.venue}
        onChange={(venue) => onChange({ venue })}
        error={faults.venue}
      />
      <TextArea
        label={form.description}
        hint={form.descriptionHint}
        value={about.description}
        onChange={(description) => onChange({ description })}
        error={faults.description}
      />
    </section>
  );
}

/** From when until when there are tickets. */
export function SaleTimeFields({ about, faults, onChange }: Props) {
  const { form } = useOperatorText();
  return (
    <section className="card stack-small">
      <h2>{form.sale}</h2>
      <div className="op-pair">
        <Field
          label={form.salesOpenAt}
          hint={form.salesOpenHint}
          type="datetime-local"
          value={about.salesOpenAt}
          onChange={(salesOpenAt) => onChange({ salesOpenAt })}
          error={faults.salesOpenAt}
        />
        <Field
          label={form.salesCloseAt}
          hint={form.salesCloseHint}
          type="datetime-local"
          value={about.salesCloseAt}
          onChange={(salesCloseAt) => onChange({ salesCloseAt })}
          error={faults.salesCloseAt}
        />
      </div>
      <p className="soft small">{form.zone(timeZoneName())}</p>
    </section>
  );
}
