import { Button, Field } from '../../ui/index.js';
import { useOperatorText } from '../texts/index.js';
import { emptySection, type SectionDraft } from './concert-draft.js';
import type { ChartErrors } from './validate-concert.js';

interface Props {
  readonly sections: readonly SectionDraft[];
  readonly errors: ChartErrors['sections'] | undefined;
  readonly currency: string;
  readonly onChange: (sections: readonly SectionDraft[]) => void;
}

function moveSection(sections: readonly SectionDraft[], from: number, to: number): SectionDraft[] {
  const next = [...sections];
  const [section] = next.splice(from, 1);
  if (section) next.splice(to, 0, section);
  return next;
}

/** Edits the sections of a chart, the nearest to the stage first. */
export function SectionsEditor({ sections, errors, currency, onChange }: Props) {
  const { form } = useOperatorText();
  const set = (index: number, part: Partial<SectionDraft>): void =>
    onChange(sections.map((section, at) => (at === index ? { ...section, ...part } : section)));
  return (
    <div className="stack-small">
      <h3>{form.sections}</h3>
      <ol className="op-sections">
        {sections.map((section, index) => {
          const sectionErrors = errors?.[index] ?? {};
          const name = section.name.trim() || form.section(index + 1);
          const field = (part: 'name' | 'rows' | 'seatsPerRow' | 'grade' | 'price', label: string) => (
            <Field
              label={label}
              {...(part !== 'name' && part !== 'grade' && { inputMode: 'decimal' as const })}
              value={section[part]}
              onChange={(value) => set(index, { [part]: value })}
              error={sectionErrors[part]}
            />
          );
          return (
            <li key={section.key}>
              <fieldset className="op-section">
                <legend className="visually-hidden">{name}</legend>
                {field('name', form.sectionName)}
                {field('rows', form.rows)}
                {field('seatsPerRow', form.seatsPerRow)}
                {field('grade', form.grade)}
                {field('price', form.price(currency))}
                <div className="op-section-tools">
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={form.moveUp(name)}
                    disabled={index === 0}
                    onClick={() => onChange(moveSection(sections, index, index - 1))}
                  >
                    ↑
                  </button>
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={form.moveDown(name)}
                    disabled={index === sections.length - 1}
                    onClick={() => onChange(moveSection(sections, index, index + 1))}
                  >
                    ↓
                  </button>
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={form.removeSection(name)}
                    onClick={() => onChange(sections.filter((each) => each !== section))}
                  >
                    ×
                  </button>
                </div>
              </fieldset>
            </li>
          );
        })}
      </ol>
      <Button tone="quiet" onClick={() => onChange([...sections, emptySection(sections.at(-1))])}>
        {form.addSection}
      </Button>
    </div>
  );
}
