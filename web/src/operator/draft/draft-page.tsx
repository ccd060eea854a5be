import { useState } from 'react';
import { Link } from '../../app/link.js';
import { toast } from '../../app/toasts.js';
import { useFormat } from '../../i18n/index.js';
import { Button, ConfirmDialog, ErrorNotice, useAction, useServerNow } from '../../ui/index.js';
import { Checkbox } from '../form/fields.js';
import { DatesOverview } from '../form/dates-overview.js';
import { ConfirmChange, type PendingChange } from '../live/confirm-change.js';
import { PolicyForm } from '../live/policy-form.js';
import { operatorApi, type OperatorConcertDetails, type Policy } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';
import { checkDraft, type Finding } from './checklist.js';
import { describeFinding } from './describe-finding.js';

interface Props {
  readonly concert: OperatorConcertDetails;
  readonly onChanged: (concert: OperatorConcertDetails) => void;
}

const MARKS = { OK: '✓', CHECK: '!', PROBLEM: '×' } as const;

/** The checklist, and the button that shows the concert to the fans. */
function PublishCard({ concert, onChanged }: Props) {
  const text = useOperatorText();
  const { draft, general } = text;
  const format = useFormat();
  const findings = checkDraft(concert, useServerNow());
  const [isAsking, setAsking] = useState(false);
  const problems = findings.filter(({ level }) => level === 'PROBLEM').length;
  const say = (finding: Finding): string => describeFinding(finding, concert, text, format);
  const publish = async (): Promise<void> => {
    const published = await operatorApi.publish(concert.id);
    onChanged({ ...concert, ...published });
    toast(general.published(concert.title), 'good');
  };
  return (
    <section className="card stack-small" aria-labelledby="op-publish-title">
      <h2 id="op-publish-title">{draft.title}</h2>
      <p>{draft.hint}</p>
      <ul className="op-checklist">
        {findings.map((finding) => (
          <li key={finding.about} data-level={finding.level}>
            <span className="op-checklist-mark" aria-hidden="true">
              {MARKS[finding.level]}
            </span>
            <div>
              <h3>
                {draft.about[finding.about]}
                <span className="visually-hidden">: {draft.levels[finding.level]}</span>
              </h3>
              <p className="small">{say(finding)}</p>
              {finding.about === 'opening' && finding.level !== 'OK' && (
                <Link className="small" href={`/operator/concerts/${concert.id}/details`}>
                  {draft.changeTimes}
                </Link>
              )}
            </div>
          </li>
        ))}
      </ul>
      {problems > 0 && <p className="field-error">{draft.mendFirst(problems)}</p>}
      <Button className="button-large" disabled={problems > 0} onClick={() => setAsking(true)}>
        {general.publish}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={draft.ask(concert.title)}
          cancelLabel={draft.keep}
          confirmLabel={draft.confirm}
          action={publish}
          onClose={() => setAsking(false)}
        >
          <p>{draft.consequence}</p>
          {findings
            .filter(({ level }) => level === 'CHECK')
            .map((finding) => (
              <p key={finding.about}>
                <strong>{draft.about[finding.about]}:</strong> {say(finding)}
              </p>
            ))}
        </ConfirmDialog>
      )}
    </section>
  );
}

/** The policy of a waiting room that nobody can join yet. */
function RulesCard({ concert, onChanged }: Props) {
  const { form, policy } = useOperatorText();
  const [pending, setPending] = useState<PendingChange>();
  const putPolicy = (waitingRoom: Policy): void => onChanged({ ...concert, waitingRoom });
  const [wantsPaused, setWantsPaused] = useState(false);
  const setPaused = useAction(async (paused: boolean) => {
    setWantsPaused(paused);
    putPolicy(await operatorApi.changePolicy(concert.id, { paused }));
  });
  return (
    <section className="card stack-small op-controls">
      <h2>{form.waitingRoom}</h2>
      <Checkbox
        label={policy.startPaused}
        checked={setPaused.busy ? wantsPaused : concert.waitingRoom.paused}
        onChange={(paused) => setPaused.run(paused)}
      />
      {setPaused.error !== undefined && <ErrorNotice error={setPaused.error} />}
      <PolicyForm concert={concert} onChange={setPending} onPolicy={putPolicy} />
      {pending && <ConfirmChange change={pending} onClose={() => setPending(undefined)} />}
    </section>
  );
}

/** A concert that only operators see: what to check, and how to publish it. */
export function DraftPage(props: Props) {
  return (
    <div className="op-live">
      <div className="stack">
        <PublishCard {...props} />
        <DatesOverview concert={props.concert} />
      </div>
      <RulesCard {...props} />
    </div>
  );
}
