import { Field } from '../../ui/index.js';
import { useOperatorText } from '../texts/index.js';
import { Check, Select } from './fields.js';
import type { PolicyDraft, PolicyFaults } from './policy-draft.js';

interface Props {
  readonly draft: PolicyDraft;
  readonly faults: PolicyFaults;
  readonly onChange: (draft: PolicyDraft) => void;
}

/** How many are let in, and how fast. */
export function AdmissionFields({ draft, faults, onChange }: Props) {
  const { policy } = useOperatorText();
  const set = (part: Partial<PolicyDraft>): void => onChange({ ...draft, ...part });
  return (
    <>
      <div className="stack-small">
        <Field
          label={policy.maxActive}
          hint={policy.maxActiveHint}
          inputMode="numeric"
          disabled={draft.unlimited}
          value={draft.unlimited ? '' : draft.maxActive}
          onChange={(maxActive) => set({ maxActive })}
          error={faults.maxActive}
        />
        <Check
          label={policy.noLimit}
          checked={draft.unlimited}
          onChange={(unlimited) => set({ unlimited })}
        />
      </div>
      <div className="stack-small">
        <Check
          label={policy.portions}
          hint={policy.portionsHint}
          checked={draft.byPortions}
          onChange={(byPortions) => set({ byPortions })}
        />
        {draft.byPortions && (
          <div className="op-pair">
            <Field
              label={policy.admitCount}
              inputMode="numeric"
              value={draft.admitCount}
              onChange={(admitCount) => set({ admitCount })}
              error={faults.admitCount}
            />
            <Field
              label={policy.admitEverySeconds}
              inputMode="numeric"
              value={draft.admitEverySeconds}
              onChange={(admitEverySeconds) => set({ admitEverySeconds })}
              error={faults.admitEverySeconds}
            />
          </div>
        )}
      </div>
    </>
  );
}

/** What holds for those inside. */
export function StayFields({ draft, faults, onChange }: Props) {
  const { policy } = useOperatorText();
  const set = (part: Partial<PolicyDraft>): void => onChange({ ...draft, ...part });
  return (
    <>
      <Field
        label={policy.activeSeconds}
        hint={policy.activeSecondsHint}
        inputMode="numeric"
        value={draft.activeSeconds}
        onChange={(activeSeconds) => set({ activeSeconds })}
        error={faults.activeSeconds}
      />
      <div className="stack-small">
        <Field
          label={policy.idleSeconds}
          hint={policy.idleSecondsHint}
          inputMode="numeric"
          disabled={draft.neverIdle}
          value={draft.neverIdle ? '' : draft.idleSeconds}
          onChange={(idleSeconds) => set({ idleSeconds })}
          error={faults.idleSeconds}
        />
        <Check
          label={policy.idleOff}
          checked={draft.neverIdle}
          onChange={(neverIdle) => set({ neverIdle })}
        />
      </div>
      <Field
        label={policy.holdSeconds}
        hint={policy.holdSecondsHint}
        inputMode="numeric"
        value={draft.holdSeconds}
        onChange={(holdSeconds) => set({ holdSeconds })}
        error={faults.holdSeconds}
      />
      <Field
        label={policy.maxSeatsPerUser}
        inputMode="numeric"
        value={draft.maxSeatsPerUser}
        onChange={(maxSeatsPerUser) => set({ maxSeatsPerUser })}
        error={faults.maxSeatsPerUser}
      />
      <Select
        label={policy.consumeOn}
        hint={policy.consumeOnHint}
        value={draft.consumeOn}
        options={[
          ['PAYMENT', policy.consume.PAYMENT],
          ['RESERVATION', policy.consume.RESERVATION],
        ]}
        onChange={(consumeOn) => set({ consumeOn })}
      />
    </>
  );
}
