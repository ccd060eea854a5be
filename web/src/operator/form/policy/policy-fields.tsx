import { Field } from '../../../ui/index.js';
import { useOperatorText } from '../../texts/index.js';
import { Checkbox, Select } from '../fields.js';
import type { PolicyDraft, PolicyErrors } from './policy-draft.js';

interface Props {
  readonly draft: PolicyDraft;
  readonly errors: PolicyErrors;
  readonly onChange: (draft: PolicyDraft) => void;
}

/** How many fans may be active, and how fast they are admitted. */
export function AdmissionFields({ draft, errors, onChange }: Props) {
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
          error={errors.maxActive}
        />
        <Checkbox
          label={policy.noLimit}
          checked={draft.unlimited}
          onChange={(unlimited) => set({ unlimited })}
        />
      </div>
      <div className="stack-small">
        <Checkbox
          label={policy.batches}
          hint={policy.batchesHint}
          checked={draft.inBatches}
          onChange={(inBatches) => set({ inBatches })}
        />
        {draft.inBatches && (
          <div className="op-pair">
            <Field
              label={policy.admitCount}
              inputMode="numeric"
              value={draft.admitCount}
              onChange={(admitCount) => set({ admitCount })}
              error={errors.admitCount}
            />
            <Field
              label={policy.admitEverySeconds}
              inputMode="numeric"
              value={draft.admitEverySeconds}
              onChange={(admitEverySeconds) => set({ admitEverySeconds })}
              error={errors.admitEverySeconds}
            />
          </div>
        )}
      </div>
    </>
  );
}

/** What concerns fans who wait. */
export function WaitingFields({ draft, onChange }: Omit<Props, 'errors'>) {
  const { policy } = useOperatorText();
  const set = (part: Partial<PolicyDraft>): void => onChange({ ...draft, ...part });
  return (
    <>
      <Checkbox
        label={policy.closeWhenSoldOut}
        hint={policy.closeWhenSoldOutHint}
        checked={draft.closeWhenSoldOut}
        onChange={(closeWhenSoldOut) => set({ closeWhenSoldOut })}
      />
    </>
  );
}

/** The rules for fans who have been admitted. */
export function ActivePlaceFields({ draft, errors, onChange }: Props) {
  const { policy } = useOperatorText();
  const set = (part: Partial<PolicyDraft>): void => onChange({ ...draft, ...part });
  return (
    <>
      <Field
        label={policy.activeMinutes}
        hint={policy.activeHint}
        inputMode="decimal"
        value={draft.activeMinutes}
        onChange={(activeMinutes) => set({ activeMinutes })}
        error={errors.activeMinutes}
      />
      <div className="stack-small">
        <Field
          label={policy.idleMinutes}
          hint={policy.idleHint}
          inputMode="decimal"
          disabled={draft.noIdleLimit}
          value={draft.noIdleLimit ? '' : draft.idleMinutes}
          onChange={(idleMinutes) => set({ idleMinutes })}
          error={errors.idleMinutes}
        />
        <Checkbox
          label={policy.idleOff}
          checked={draft.noIdleLimit}
          onChange={(noIdleLimit) => set({ noIdleLimit })}
        />
      </div>
      <div className="stack-small">
        <Field
          label={policy.showUpMinutes}
          hint={policy.showUpHint}
          inputMode="decimal"
          disabled={draft.keepsNoShows}
          value={draft.keepsNoShows ? '' : draft.showUpMinutes}
          onChange={(showUpMinutes) => set({ showUpMinutes })}
          error={errors.showUpMinutes}
        />
        <Checkbox
          label={policy.showUpOff}
          checked={draft.keepsNoShows}
          onChange={(keepsNoShows) => set({ keepsNoShows })}
        />
      </div>
      <Field
        label={policy.holdMinutes}
        hint={policy.holdHint}
        inputMode="decimal"
        value={draft.holdMinutes}
        onChange={(holdMinutes) => set({ holdMinutes })}
        error={errors.holdMinutes}
      />
      <Field
        label={policy.maxSeatsPerUser}
        inputMode="numeric"
        value={draft.maxSeatsPerUser}
        onChange={(maxSeatsPerUser) => set({ maxSeatsPerUser })}
        error={errors.maxSeatsPerUser}
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
