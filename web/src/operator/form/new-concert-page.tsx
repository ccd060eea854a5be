import { type SetStateAction, type SubmitEvent, useRef, useState } from 'react';
import { createIdempotentCall } from '../../api/index.js';
import { Link } from '../../app/link.js';
import { PageTitle } from '../../app/page-title.js';
import { navigate } from '../../app/router.js';
import { toast } from '../../app/toasts.js';
import { useFormat } from '../../i18n/index.js';
import { Button, Loading, useAction, useLoaded } from '../../ui/index.js';
import { type ConcertDefaults, operatorApi } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';
import { DetailsFields, SaleTimeFields } from './details-fields.js';
import { ChartEditor } from './chart-editor.js';
import { useValidators } from './validators.js';
import {
  type ChartDraft,
  type ConcertDraft,
  copyChart,
  emptyChart,
  emptyConcert,
  toRequest,
} from './concert-draft.js';
import { validateConcert, countErrors } from './validate-concert.js';
import { DatesEditor } from './dates-editor.js';
import { Checkbox } from './fields.js';
import { AdmissionFields, ActivePlaceFields, WaitingFields } from './policy/policy-fields.js';
import { placeConcertFaults } from './place-faults.js';
import { FaultPlacer } from './server-faults.js';
import { SubmitBar } from './submit-bar.js';

function NewConcertForm({ currency, timeZone }: ConcertDefaults) {
  const text = useOperatorText();
  const { form, facts, policy: rules } = text;
  const { number } = useFormat();
  const validators = useValidators();
  const [callOnce] = useState(createIdempotentCall);
  const [draft, setDraft] = useState(() => emptyConcert(timeZone));
  const [attempts, setAttempts] = useState(0);
  const element = useRef<HTMLFormElement>(null);
  const create = useAction(async () => {
    const body = toRequest(draft, currency);
    const { id } = await callOnce(body, (key) => operatorApi.create(body, key));
    toast(form.created(body.title), 'good');
    navigate(`/operator/concerts/${id}`);
  });
  /** What the server refused may be mended now. */
  const change = (next: SetStateAction<ConcertDraft>): void => {
    setDraft(next);
    if (create.error !== undefined) create.clear();
  };
  const found = validateConcert(draft, { validators, text, number, currency });
  const refused = new FaultPlacer(create.error, form.refused);
  const errors = attempts > 0 ? placeConcertFaults(found, draft, refused) : undefined;

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    setAttempts(attempts + 1);
    if (countErrors(found) === 0) create.run();
  }
  const setChart = (key: number, part: Partial<ChartDraft>): void =>
    change((old) => ({
      ...old,
      charts: old.charts.map((chart) => (chart.key === key ? { ...chart, ...part } : chart)),
    }));
  const setAbout = (part: Partial<typeof draft.details>): void =>
    change((old) => ({ ...old, details: { ...old.details, ...part } }));
  const policy = {
    draft: draft.policy,
    errors: errors?.policy ?? {},
    onChange: (next: typeof draft.policy) => change((old) => ({ ...old, policy: next })),
  };
  const { details, dates, charts } = draft;

  function removeChart(key: number): void {
    const remaining = charts.filter((chart) => chart.key !== key);
    const first = remaining[0]?.key ?? 0;
    const moved = dates.map((date) => (date.chart === key ? { ...date, chart: first } : date));
    change({ ...draft, charts: remaining, dates: moved });
  }

  return (
    <form ref={element} className="stack op-form" noValidate onSubmit={submit}>
      <div className="op-columns">
        <div className="stack-small">
          <DetailsFields about={details} errors={errors?.about ?? {}} onChange={setAbout} />
          <p className="soft small">{facts.posterLater}</p>
        </div>
        <div className="stack">
          <SaleTimeFields about={details} errors={errors?.about ?? {}} onChange={setAbout} />
          <DatesEditor
            dates={dates}
            charts={charts}
            errors={errors}
            onChange={(next) => change({ ...draft, dates: next })}
          />
        </div>
      </div>
      {charts.map((chart, index) => (
        <ChartEditor
          key={chart.key}
          chart={chart}
          no={charts.length === 1 ? 0 : index + 1}
          usedOn={dates.filter((date) => date.chart === chart.key).length}
          currency={currency}
          errors={errors?.charts[index]}
          onChange={(part) => setChart(chart.key, part)}
          onRemove={() => removeChart(chart.key)}
        />
      ))}
      {dates.length > 1 && (
        <Button
          tone="quiet"
          onClick={() => change({ ...draft, charts: [...charts, copyChart(charts.at(-1) ?? emptyChart())] })}
        >
          {form.addChart}
        </Button>
      )}
      <section className="card stack-small">
        <h2>{form.waitingRoom}</h2>
        <div className="op-columns">
          <div className="stack">
            <AdmissionFields {...policy} />
            <WaitingFields {...policy} />
            <Checkbox
              label={rules.startPaused}
              checked={draft.policy.paused}
              onChange={(paused) => policy.onChange({ ...draft.policy, paused })}
            />
          </div>
          <div className="stack">
            <ActivePlaceFields {...policy} />
          </div>
        </div>
      </section>
      <p className="soft small">{form.draftHint}</p>
      <SubmitBar
        label={form.create}
        busy={create.busy}
        form={element}
        attempts={attempts}
        error={create.error}
        leftOver={refused.leftOver}
      />
    </form>
  );
}

export function NewConcertPage() {
  const { general } = useOperatorText();
  const defaults = useLoaded('concert defaults', operatorApi.concertDefaults);
  return (
    <div className="stack">
      <p className="small">
        <Link href="/operator">← {general.allConcerts}</Link>
      </p>
      <PageTitle title={general.newConcert}>{general.newConcert}</PageTitle>
      <Loading of={defaults}>{(value) => <NewConcertForm {...value} />}</Loading>
    </div>
  );
}
