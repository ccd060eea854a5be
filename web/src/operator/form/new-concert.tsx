import { type SubmitEvent, useState } from 'react';
import { createIntent } from '../../api/index.js';
import { Link } from '../../app/link.js';
import { PageTitle } from '../../app/page-title.js';
import { navigate } from '../../app/router.js';
import { toast } from '../../app/toasts.js';
import { useFormat } from '../../i18n/index.js';
import { Button, Loading, useAction, useLoaded } from '../../ui/index.js';
import { desk as server } from '../desk.js';
import { useOperatorText } from '../texts/index.js';
import { AboutFields, SaleTimeFields } from './about-fields.js';
import { ChartEditor } from './chart-editor.js';
import { useChecks } from './checks.js';
import { type ChartDraft, copyChart, emptyChart, emptyConcert, toRequest } from './concert-draft.js';
import { concertFaults, countFaults } from './concert-faults.js';
import { DatesEditor } from './dates-editor.js';
import { Check } from './fields.js';
import { AdmissionFields, StayFields } from './policy-fields.js';
import { SubmitBar, useFirstFault } from './submit-bar.js';

const HOME_CURRENCY = 'KRW';

function NewConcertForm({ currency }: { readonly currency: string }) {
  const text = useOperatorText();
  const { form, policy: rules } = text;
  const { number } = useFormat();
  const checks = useChecks();
  const [intent] = useState(createIntent);
  const [draft, setDraft] = useState(emptyConcert);
  const [attempts, setAttempts] = useState(0);
  const element = useFirstFault(attempts);
  const create = useAction(async () => {
    const body = toRequest(draft, currency);
    const { id } = await intent(body, (key) => server.create(body, key));
    toast(form.created(body.title), 'good');
    navigate(`/operator/concerts/${id}`);
  });
  const found = concertFaults(draft, { checks, text, number, currency });
  const faults = attempts > 0 ? found : undefined;

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    setAttempts(attempts + 1);
    if (countFaults(found) === 0) create.run();
  }
  const setChart = (key: number, part: Partial<ChartDraft>): void =>
    setDraft((old) => ({
      ...old,
      charts: old.charts.map((chart) => (chart.key === key ? { ...chart, ...part } : chart)),
    }));
  const setAbout = (part: Partial<typeof draft.about>): void =>
    setDraft((old) => ({ ...old, about: { ...old.about, ...part } }));
  const policy = {
    draft: draft.policy,
    faults: faults?.policy ?? {},
    onChange: (next: typeof draft.policy) => setDraft((old) => ({ ...old, policy: next })),
  };
  const { about, dates, charts } = draft;

  function removeChart(key: number): void {
    const kept = charts.filter((chart) => chart.key !== key);
    const first = kept[0]?.key ?? 0;
    const moved = dates.map((date) => (date.chart === key ? { ...date, chart: first } : date));
    setDraft({ ...draft, charts: kept, dates: moved });
  }

  return (
    <form ref={element} className="stack op-form" noValidate onSubmit={submit}>
      <div className="op-columns">
        <AboutFields about={about} faults={faults?.about ?? {}} onChange={setAbout} />
        <div className="stack">
          <SaleTimeFields about={about} faults={faults?.about ?? {}} onChange={setAbout} />
          <DatesEditor
            dates={dates}
            charts={charts}
            faults={faults}
            onChange={(next) => setDraft({ ...draft, dates: next })}
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
          faults={faults?.charts[index]}
          onChange={(part) => setChart(chart.key, part)}
          onRemove={() => removeChart(chart.key)}
        />
      ))}
      {dates.length > 1 && (
        <Button
          tone="quiet"
          onClick={() =>
            setDraft({ ...draft, charts: [...charts, copyChart(charts.at(-1) ?? emptyChart())] })
          }
        >
          {form.addChart}
        </Button>
      )}
      <section className="card stack-small">
        <h2>{form.room}</h2>
        <div className="op-columns">
          <div className="stack">
            <AdmissionFields {...policy} />
            <Check
              label={rules.startPaused}
              checked={draft.policy.paused}
              onChange={(paused) => policy.onChange({ ...draft.policy, paused })}
            />
          </div>
          <div className="stack">
            <StayFields {...policy} />
          </div>
        </div>
      </section>
      <SubmitBar
        label={form.create}
        busy={create.busy}
        faults={faults ? countFaults(faults) : 0}
        error={create.error}
      />
    </form>
  );
}

export function NewConcertPage() {
  const { desk } = useOperatorText();
  // Wallets hold one currency, which every concert is sold in.
  const concerts = useLoaded('operator currency', server.concerts);
  return (
    <div className="stack">
      <p className="small">
        <Link href="/operator">← {desk.allConcerts}</Link>
      </p>
      <PageTitle title={desk.newConcert}>{desk.newConcert}</PageTitle>
      <Loading of={concerts}>
        {(all) => <NewConcertForm currency={all[0]?.currency ?? HOME_CURRENCY} />}
      </Loading>
    </div>
  );
}
