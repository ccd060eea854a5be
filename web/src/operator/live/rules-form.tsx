import { type SubmitEvent, useState } from 'react';
import { useFormat } from '../../i18n/index.js';
import { Button } from '../../ui/index.js';
import { desk as server, type DeskConcertWithDates, type Policy } from '../desk.js';
import { useChecks } from '../form/checks.js';
import { countFaults } from '../form/concert-faults.js';
import {
  changedRules,
  type PolicyDraft,
  policyFaults,
  sayRule,
  toDraft,
  toPolicy,
} from '../form/policy-draft.js';
import { AdmissionFields, StayFields } from '../form/policy-fields.js';
import { useOperatorText } from '../texts/index.js';
import type { Question } from './confirm.js';

interface Props {
  readonly concert: DeskConcertWithDates;
  readonly ask: (question: Question) => void;
  readonly onPolicy: (policy: Policy) => void;
}

/** Capacity, portions and the rest. While nothing is typed it follows what others change. */
export function RulesForm({ concert, ask, onPolicy }: Props) {
  const text = useOperatorText();
  const { controls, audit } = text;
  const { number } = useFormat();
  const checks = useChecks();
  const [typed, setTyped] = useState<PolicyDraft>();
  const [isIdle, setIdle] = useState(false);
  const before = concert.waitingRoom;
  const draft = typed ?? toDraft(before);
  const faults = policyFaults(draft, checks);

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (countFaults(faults) > 0) return;
    const after = toPolicy({ ...draft, paused: before.paused });
    const patch = changedRules(before, after);
    const rules = Object.keys(audit.fields).filter((field): field is keyof Policy => field in patch);
    setIdle(rules.length === 0);
    if (rules.length === 0) return;
    const say = (rule: keyof Policy, policy: Policy): string => sayRule(rule, policy[rule], text, number);
    ask({
      title: controls.askChange,
      says: [
        ...rules.map((rule) => controls.changeSays(audit.fields[rule], say(rule, before), say(rule, after))),
        controls.takesEffect,
      ],
      yes: controls.yesChange,
      work: async () => {
        onPolicy(await server.changePolicy(concert.id, patch));
        setTyped(undefined);
      },
    });
  }

  const fields = { draft, faults, onChange: setTyped };
  return (
    <form className="stack-small" noValidate onSubmit={submit}>
      <AdmissionFields {...fields} />
      <details className="op-details">
        <summary>{controls.moreRules}</summary>
        <div className="stack-small">
          <StayFields {...fields} />
        </div>
      </details>
      {isIdle && <p role="status">{controls.nothing}</p>}
      <Button type="submit" tone="quiet" className="button-wide">
        {controls.change}
      </Button>
    </form>
  );
}
