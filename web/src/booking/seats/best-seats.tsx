import { useId, useState } from 'react';
import { useFormat, useText } from '../../i18n/index.js';
import type { Chart } from '../../seat-map/index.js';
import { Button, Dialog } from '../../ui/index.js';

interface Props {
  readonly chart: Chart;
  readonly limit: number;
  readonly busy: boolean;
  readonly onHoldBest: (count: number, grade: string | undefined) => void;
}

const ANY_GRADE = '';
const DEFAULT_COUNT = 2;

/** Lets the server choose: it holds the best free seats side by side. */
export function BestSeats({ chart, limit, busy, onHoldBest }: Props) {
  const { seats: text, common } = useText();
  const format = useFormat();
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [wanted, setWanted] = useState(DEFAULT_COUNT);
  const count = Math.min(wanted, limit);
  const [grade, setGrade] = useState(ANY_GRADE);
  const grades = [...new Map(chart.grades.map((each) => [each.grade, each.price]))];
  const close = (): void => setIsOpen(false);
  return (
    <>
      <Button
        tone="quiet"
        className="best-seats"
        disabled={limit === 0}
        busy={busy}
        onClick={() => setIsOpen(true)}
      >
        {text.best}
      </Button>
      {isOpen && (
        <Dialog
          title={text.best}
          onClose={close}
          actions={
            <>
              <Button tone="quiet" onClick={close}>
                {common.cancel}
              </Button>
              <Button
                disabled={count === 0}
                onClick={() => {
                  close();
                  onHoldBest(count, grade === ANY_GRADE ? undefined : grade);
                }}
              >
                {text.holdBest}
              </Button>
            </>
          }
        >
          <div className="stack">
            <p className="soft small">{text.bestHint}</p>
            <div className="row">
              <div className="field">
                <label htmlFor={`${id}-count`}>{text.count}</label>
                <select
                  id={`${id}-count`}
                  value={count}
                  onChange={({ target }) => setWanted(Number(target.value))}
                >
                  {Array.from({ length: limit }, (_, index) => index + 1).map((n) => (
                    <option key={n} value={n}>
                      {common.seats(n)}
                    </option>
                  ))}
                </select>
              </div>
              <div className="field">
                <label htmlFor={`${id}-grade`}>{text.grade}</label>
                <select id={`${id}-grade`} value={grade} onChange={({ target }) => setGrade(target.value)}>
                  <option value={ANY_GRADE}>{text.anyGrade}</option>
                  {grades.map(([name, price]) => (
                    <option key={name} value={name}>
                      {format.grade(name)} · {format.money(price, chart.currency)}
                    </option>
                  ))}
                </select>
              </div>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}
