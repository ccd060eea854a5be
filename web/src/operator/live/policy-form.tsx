import { type SubmitEvent, useRef, useState } from 'react';
import { useFormat } from '../../i18n/index.js';
import { Button } from '../../ui/index.js';
import { operatorApi, type OperatorConcertDetails, type Policy } from '../operator-api.js';
import { ErrorSummary } from '../form/error-summary.js';
import { useValidators } from '../form/validators.js';
import { countErrors } from '../form/validate-concert.js';
import {
  policyPatch,
  type PolicyDraft,
  validatePolicy,
  formatRule,
  toDraft,
  toPolicy,
} from '../form/policy/policy-draft.js';
import { AdmissionFields, ActivePlaceFields, WaitingFields } from '../form/policy/policy-fields.js';
import { useOperatorText } from '../texts/index.js';
import type { PendingChange } from './confirm-change.js';

interface Props {
  readonly concert: OperatorConcertDetails;
  readonly onChange: (change: PendingChange) => void;
  readonly onPolicy: (policy: Policy) => void;
}

/** The policy of a running sale. Until something is typed, it shows changes made by others. */
export function PolicyForm({ concert, onChange, onPolicy }: Props) {
  const text = useOperatorText();
  const { controls, audit } = text;
  const format = useFormat();
  const validators = useValidators();
  const [typed, setTyped] = useState<PolicyDraft>();
  const [isUnchanged, setIdle] = useState(false);
  const [attempts, setAttempts] = useState(0);
  const element = useRef<HTMLFormElement>(null);
  const before = concert.waitingRoom;
  const draft = typed ?? toDraft(before);
  const errors = validatePolicy(draft, validators);

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    setAttempts(attempts + 1);
    if (countErrors(errors) > 0) return;
    const after = toPolicy({ ...draft, paused: before.paused, notice: before.notice });
    const patch = policyPatch(before, after);
    const rules = Object.keys(audit.fields).filter((field): field is keyof Policy => field in patch);
    setIdle(rules.length === 0);
    if (rules.length === 0) return;
    const say = (rule: keyof Policy, policy: Policy): string => formatRule(rule, policy[rule], text, format);
    onChange({
      title: controls.askChange,
      consequences: [
        ...rules.map((rule) => controls.ruleChange(audit.fields[rule], say(rule, before), say(rule, after))),
        controls.takesEffect,
      ],
      confirmLabel: controls.confirmChange,
      apply: async () => {
        onPolicy(await operatorApi.changePolicy(concert.id, patch));
        setTyped(undefined);
      },
    });
  }

  const fields = { draft, errors, onChange: setTyped };
  return (
    <form ref={element} className="stack-small" noValidate onSubmit={submit}>
      <AdmissionFields {...fields} />
      <details className="op-details">
        <summary>{controls.moreRules}</summary>
        <div className="stack-small">
          <WaitingFields draft={draft} onChange={setTyped} />
          <ActivePlaceFields {...fields} />
        </div>
      </details>
      <ErrorSummary form={element} attempts={attempts} />
      {isUnchanged && <p role="status">{controls.unchanged}</p>}
      <Button type="submit" tone="quiet" className="button-wide">
        {controls.change}
      </Button>
    </form>
  );
}
