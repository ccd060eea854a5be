import { useId } from 'react';
import { Button, describedBy, Field, FieldNotes } from '../../../ui/index.js';
import { useOperatorText } from '../../texts/index.js';
import {
  emptyRule,
  type FactsDraft,
  REFUND_RULES_MAX,
  type RefundRuleDraft,
  toRuleDrafts,
  USUAL_REFUND_RULES,
} from './facts-draft.js';

interface Props {
  readonly facts: FactsDraft;
  readonly errors: Partial<Record<keyof FactsDraft, string | undefined>>;
  readonly onChange: (part: Partial<FactsDraft>) => void;
}

/** Running time, age and refund fees, as the concert's page shows them. */
export function FactsFields({ facts, errors, onChange }: Props) {
  const { facts: text } = useOperatorText();
  return (
    <>
      <div className="op-pair">
        <Field
          label={text.runningMinutes}
          hint={text.emptyHint}
          inputMode="numeric"
          value={facts.runningMinutes}
          onChange={(runningMinutes) => onChange({ runningMinutes })}
          error={errors.runningMinutes}
        />
        <Field
          label={text.minAge}
          hint={text.minAgeHint}
          inputMode="numeric"
          value={facts.minAge}
          onChange={(minAge) => onChange({ minAge })}
          error={errors.minAge}
        />
      </div>
      <RefundRules
        rules={facts.refundRules}
        error={errors.refundRules}
        onChange={(refundRules) => onChange({ refundRules })}
      />
    </>
  );
}

interface RulesProps {
  readonly rules: readonly RefundRuleDraft[];
  readonly error: string | undefined;
  readonly onChange: (rules: readonly RefundRuleDraft[]) => void;
}

function RefundRules({ rules, error, onChange }: RulesProps) {
  const { facts: text, form } = useOperatorText();
  const id = useId();
  const change = (key: number, part: Partial<RefundRuleDraft>): void =>
    onChange(rules.map((rule) => (rule.key === key ? { ...rule, ...part } : rule)));
  return (
    <fieldset
      id={id}
      className="stack-small"
      aria-describedby={describedBy(id, { hint: text.refundHint, error })}
      {...(error !== undefined && { tabIndex: -1, 'data-fault': true })}
    >
      <legend>{text.refundRules}</legend>
      <FieldNotes id={id} hint={text.refundHint} error={error} />
      {rules.map(({ key, daysBefore, feePercent }, index) => (
        <div key={key} className="op-refund-rule">
          <Field
            label={text.daysBefore}
            inputMode="numeric"
            value={daysBefore}
            onChange={(next) => change(key, { daysBefore: next })}
          />
          <Field
            label={text.feePercent}
            inputMode="numeric"
            value={feePercent}
            onChange={(next) => change(key, { feePercent: next })}
          />
          <Button
            tone="quiet"
            aria-label={text.removeRule(index + 1)}
            onClick={() => onChange(rules.filter((rule) => rule.key !== key))}
          >
            {form.remove}
          </Button>
        </div>
      ))}
      <div className="row">
        {rules.length < REFUND_RULES_MAX && (
          <Button tone="quiet" onClick={() => onChange([...rules, emptyRule()])}>
            {text.addRule}
          </Button>
        )}
        {rules.length === 0 && (
          <Button tone="quiet" onClick={() => onChange(toRuleDrafts(USUAL_REFUND_RULES))}>
            {text.usualRules}
          </Button>
        )}
      </div>
    </fieldset>
  );
}
