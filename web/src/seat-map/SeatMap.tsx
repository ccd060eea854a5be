import type { Lang } from '../i18n/dictionary.js';
import type { Chart } from './chart.js';
import { Legend } from './Legend.js';
import { MapView } from './MapView.js';
import { SeatList } from './SeatList.js';
import type { SeatStates } from './states.js';
import { useChoice } from './use-choice.js';
import './seat-colours.css';
import './seat-legend.css';
import './seat-list.css';
import './seat-map.css';

export interface SeatMapProps {
  readonly chart: Chart;
  readonly states: SeatStates;
  /** The chosen seats, as indexes into the chart. */
  readonly selected: ReadonlySet<number>;
  /** Called when a seat is to be chosen or let go; never beyond the limit, never for a seat that is taken. */
  readonly onToggle: (seat: number) => void;
  readonly limit: number;
  readonly lang: Lang;
  readonly mode: 'map' | 'list';
  /** For looking on: nothing can be chosen. */
  readonly readOnly?: boolean;
}

/** The seats of a date to choose from: as a map, or as a list that says the same. Fills the height it is given. */
export function SeatMap(props: SeatMapProps) {
  const { chart, states, selected, lang, mode, readOnly = false } = props;
  const { said, toggle } = useChoice(props);
  const shared = { chart, states, selected, lang, readOnly, onPick: toggle };
  return (
    <div className="seat-map" data-mode={mode} lang={lang}>
      <Legend chart={chart} lang={lang} readOnly={readOnly} />
      {mode === 'map' ? <MapView {...shared} /> : <SeatList {...shared} />}
      <div role="status" className={said.isRefusal ? 'seat-map__refusal' : 'seat-map__unseen'}>
        <span key={said.count}>{said.text}</span>
      </div>
    </div>
  );
}
