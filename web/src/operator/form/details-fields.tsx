import { useId } from 'react';
import { Field } from '../../ui/index.js';
import { useOperatorText } from '../texts/index.js';
import type { DetailsDraft } from './concert-draft.js';
import { FactsFields } from './facts/facts-fields.js';
import { TextArea } from './fields.js';
import { timeZones } from './local-time.js';

interface Props {
  readonly about: DetailsDraft;
  readonly errors: Partial<Record<keyof DetailsDraft, string | undefined>>;
  readonly onChange: (part: Partial<DetailsDraft>) => void;
}

/** Title, venue, description and facts for fans. */
export function DetailsFields({ about, errors, onChange }: Props) {
  const { form } = useOperatorText();
  const zoneListId = useId();
  return (
    <section className="card stack-small">
      <h2>{form.about}</h2>
      <Field
        label={form.concertTitle}
        value={about.title}
        onChange={(title) => onChange({ title })}
        error={errors.title}
      />
      <Field
        label={form.venue}
        value={about.venue}
        onChange={(venue) => onChange({ venue })}
        error={errors.venue}
      />
      <Field
        label={form.timeZone}
        hint={form.timeZoneHint}
        list={zoneListId}
        value={about.timeZone}
        onChange={(timeZone) => onChange({ timeZone })}
        error={errors.timeZone}
      />
      <datalist id={zoneListId}>
        {timeZones().map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TextArea
        label={form.description}
        hint={form.descriptionHint}
        value={about.description}
        onChange={(description) => onChange({ description })}
        error={errors.description}
      />
      <FactsFields facts={about} errors={errors} onChange={onChange} />
    </section>
  );
}

/** When the sale opens and closes. */
export function SaleTimeFields({ about, errors, onChange }: Props) {
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
          error={errors.salesOpenAt}
        />
        <Field
          label={form.salesCloseAt}
          hint={form.salesCloseHint}
          type="datetime-local"
          value={about.salesCloseAt}
          onChange={(salesCloseAt) => onChange({ salesCloseAt })}
          error={errors.salesCloseAt}
        />
      </div>
      <p className="soft small">{form.zone(about.timeZone)}</p>
    </section>
  );
}
