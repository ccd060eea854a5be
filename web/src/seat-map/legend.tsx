import type { Lang } from '../i18n/dictionary.js';
import { formatMoney } from '../i18n/format.js';
import type { Chart } from './chart/chart.js';
import { AVAILABLE, HELD, MINE, SOLD } from './chart/seat-states.js';
import { Swatch } from './swatch.js';
import { textsOf } from './texts.js';

interface Props {
  readonly chart: Chart;
  readonly lang: Lang;
  readonly readOnly: boolean;
  readonly hasMine: boolean;
}

/** The legend: grades with their prices, and the states of a seat. */
export function Legend({ chart, lang, readOnly, hasMine }: Props) {
  const texts = textsOf(lang);
  return (
    <div className="seat-legend" role="group" aria-label={texts.legend}>
      <ul className="seat-legend__list" aria-label={texts.grades}>
        {chart.grades.map(({ grade, price }, index) => (
          <li key={index} className="seat-legend__item">
            <Swatch grade={index} state={AVAILABLE} />
            <span>
              <strong>{texts.grade(grade)}</strong> {formatMoney(lang, price, chart.currency)}
            </span>
          </li>
        ))}
      </ul>
      <ul className="seat-legend__list seat-legend__list--states" aria-label={texts.states}>
        <li className="seat-legend__item">
          <Swatch grade={0} state={AVAILABLE} />
          {texts.free}
        </li>
        {!readOnly && (
          <li className="seat-legend__item">
            <Swatch grade={0} state="chosen" />
            {texts.chosen}
          </li>
        )}
        {hasMine && (
          <li className="seat-legend__item">
            <Swatch grade={0} state={MINE} />
            {texts.mine}
          </li>
        )}
        <li className="seat-legend__item">
          <Swatch grade={0} state={HELD} />
          {texts.heldShort}
        </li>
        <li className="seat-legend__item">
          <Swatch grade={0} state={SOLD} />
          {texts.sold}
        </li>
      </ul>
    </div>
  );
}
