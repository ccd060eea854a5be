import type { Lang } from '../i18n/dictionary.js';
import type { Chart } from './chart/chart.js';
import { Legend } from './legend.js';
import { MapView } from './map/map-view.js';
import { SeatList } from './list/seat-list.js';
import type { SeatStates } from './chart/seat-states.js';
import { useSeatChoice } from './use-seat-choice.js';
import './seat-colours.css';
import './seat-legend.css';
import './seat-list.css';
import './seat-map.css';

export interface SeatMapProps {
  readonly chart: Chart;
  readonly states: SeatStates;
  /** The chosen seats, as indexes into the chart. */
  readonly selected: ReadonlySet<number>;
  /** Called to choose or deselect a seat; never beyond the limit and never for a taken seat. */
  readonly onToggle: (seat: number) => void;
  readonly limit: number;
  readonly lang: Lang;
  readonly mode: 'map' | 'list';
  /** No seat can be chosen; a press calls this instead. */
  readonly onInspect?: (seat: number) => void;
}

/** The seats of a date, as a map or as a list with the same content. Fills the height of its container. */
export function SeatMap(props: SeatMapProps) {
  const { chart, states, selected, lang, mode, onInspect } = props;
  const { announcement, toggle } = useSeatChoice(props);
  const readOnly = onInspect !== undefined;
  const shared = { chart, states, selected, lang, readOnly, onPick: onInspect ?? toggle };
  return (
    <div className="seat-map" data-mode={mode} lang={lang}>
      <Legend chart={chart} lang={lang} readOnly={readOnly} hasMine={states.mine.length > 0} />
      {mode === 'map' ? <MapView {...shared} /> : <SeatList {...shared} />}
      <div role="status" className={announcement.isRefusal ? 'seat-map__refusal' : 'seat-map__unseen'}>
        <span key={announcement.count}>{announcement.text}</span>
      </div>
    </div>
  );
}
