import { useState } from 'react';
import { seatWords } from '../../i18n/seat-words.js';
import { gradesOf } from '../chart/chart.js';
import { AVAILABLE } from '../chart/seat-states.js';
import { gradeAndPrice } from '../labels.js';
import type { ViewProps } from '../map/map-view.js';
import { Swatch } from '../swatch.js';
import { SectionRows } from './section-rows.js';
import { textsOf } from '../texts.js';

/** The seats as a list: sections with rows of seats. Only open sections are rendered. */
export function SeatList(props: ViewProps) {
  const { chart, states, lang, readOnly } = props;
  const texts = textsOf(lang);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [onlyFree, setOnlyFree] = useState(false);

  const setSection = (section: number, isOpen: boolean): void => {
    setOpen((before) => {
      const after = new Set(before);
      if (isOpen) after.add(section);
      else after.delete(section);
      return after;
    });
  };

  return (
    <div className="seat-list" role="region" aria-label={texts.listName}>
      {!readOnly && (
        <label className="seat-list__filter">
          <input
            type="checkbox"
            checked={onlyFree}
            onChange={(event) => {
              setOnlyFree(event.target.checked);
            }}
          />
          {texts.onlyFree}
        </label>
      )}
      {chart.sections.map((section, index) => (
        <details
          key={index}
          className="seat-list__section"
          onToggle={(event) => {
            setSection(index, event.currentTarget.open);
          }}
        >
          <summary>
            <span className="seat-list__name">{seatWords(lang).section(section.name)}</span>
            <span className="seat-list__prices">
              {gradesOf(chart, section).map((grade) => (
                <span key={grade} className="seat-list__grade">
                  <Swatch grade={grade} state={AVAILABLE} />
                  {gradeAndPrice(chart, grade, lang)}
                </span>
              ))}
            </span>
            <span className="seat-list__count">
              {texts.freeOf(states.freeInSection[index] ?? 0, section.seatCount)}
            </span>
          </summary>
          {open.has(index) && <SectionRows {...props} section={section} onlyFree={onlyFree} />}
        </details>
      ))}
    </div>
  );
}
