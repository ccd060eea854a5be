import { Field } from '../ui/index.js';
import type { ConcertFilter } from './concert-filter.js';
import { Select } from './form/fields.js';
import { useOperatorText } from './texts/index.js';

const STATES = ['DRAFT', 'BEFORE', 'OPEN', 'PAUSED', 'SOLD_OUT', 'CLOSED'] as const;

/** Filters the list of concerts by text, state of the sale and dates. */
export function ConcertFilters({
  filter,
  onChange,
}: {
  readonly filter: ConcertFilter;
  readonly onChange: (filter: ConcertFilter) => void;
}) {
  const { general } = useOperatorText();
  const set = (part: Partial<ConcertFilter>): void => onChange({ ...filter, ...part });
  return (
    <div className="op-filters">
      <Field
        label={general.searchConcerts}
        type="search"
        value={filter.search}
        onChange={(search) => set({ search })}
      />
      <Select
        label={general.status}
        value={filter.state}
        options={[['', general.anyStatus], ...STATES.map((state) => [state, general.states[state]] as const)]}
        onChange={(state) => set({ state })}
      />
      <Field label={general.from} type="date" value={filter.from} onChange={(from) => set({ from })} />
      <Field label={general.to} type="date" value={filter.to} onChange={(to) => set({ to })} />
    </div>
  );
}
