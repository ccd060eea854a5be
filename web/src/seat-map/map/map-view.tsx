import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { Lang } from '../../i18n/dictionary.js';
import type { Chart } from '../chart/chart.js';
import type { Engine } from './engine.js';
import { SeatCard, placeCard } from './seat-card.js';
import { SeatOptions, optionId } from './seat-options.js';
import type { SeatStates } from '../chart/seat-states.js';
import { textsOf } from '../texts.js';
import { useEngine } from './use-engine.js';
import { type GestureHandlers, useGestures } from './use-gestures.js';
import { useSeatKeys } from './use-seat-keys.js';
import { ZoomButtons } from './zoom-buttons.js';

export interface ViewProps {
  readonly chart: Chart;
  readonly states: SeatStates;
  readonly selected: ReadonlySet<number>;
  readonly lang: Lang;
  readonly readOnly: boolean;
  readonly onPick: (seat: number) => void;
}

/** The canvas with an accessible overlay: a listbox whose options are the seats of the cursor's row. */
export function MapView({ chart, states, selected, lang, readOnly, onPick }: ViewProps) {
  const texts = textsOf(lang);
  const id = useId();
  const canvas = useRef<HTMLCanvasElement>(null);
  const surface = useRef<HTMLDivElement>(null);
  const card = useRef<HTMLDivElement>(null);
  const [hovered, setHovered] = useState(-1);
  const [isWhole, setIsWhole] = useState(true);
  const engine = useRef<Engine | null>(null);
  const keys = useSeatKeys({ chart, states, selected, engine, onPick });
  const shown = hovered >= 0 ? hovered : keys.ringed;

  // Listeners are attached once and call the handlers of the latest render.
  const onCamera = useRef<(isWhole: boolean) => void>(() => undefined);
  const handlers = useRef<GestureHandlers>({ onTap: () => undefined, onHover: () => undefined });
  useEngine(engine, canvas, chart, texts, { states, selected, ringed: keys.ringed }, onCamera);
  useGestures(surface, engine, handlers);

  useLayoutEffect(() => {
    onCamera.current = (whole) => {
      setIsWhole(whole);
      placeCard(card.current, engine.current, shown);
    };
    handlers.current = {
      onTap: (point) => {
        const hit = engine.current?.hit(point);
        if (hit?.kind === 'section') engine.current?.zoomTo(hit.box, hit.point);
        if (hit?.kind !== 'seat') return;
        keys.moveTo(hit.seat);
        onPick(hit.seat);
      },
      onHover: (point) => {
        setHovered(point ? (engine.current?.seatUnder(point) ?? -1) : -1);
      },
    };
    placeCard(card.current, engine.current, shown);
  });

  return (
    <div className="seat-map__view">
      <canvas ref={canvas} className="seat-map__canvas" aria-hidden="true" />
      <div
        ref={surface}
        className="seat-map__surface"
        data-whole={isWhole}
        data-over={hovered >= 0}
        role="listbox"
        aria-label={texts.mapName}
        aria-describedby={`${id}-help`}
        aria-multiselectable="true"
        aria-readonly={readOnly}
        {...(keys.cursor >= 0 && { 'aria-activedescendant': optionId(id, keys.cursor) })}
        tabIndex={0}
        onKeyDown={keys.onKeyDown}
        onFocus={keys.onFocus}
        onBlur={keys.onBlur}
      >
        <SeatOptions id={id} cursor={keys.cursor} {...{ chart, states, selected, lang, readOnly }} />
      </div>
      <p id={`${id}-help`} className="seat-map__unseen">
        {readOnly ? texts.mapHelpReadOnly : texts.mapHelp}
      </p>
      {shown >= 0 && (
        <SeatCard ref={card} seat={shown} isChosen={selected.has(shown)} {...{ chart, states, lang }} />
      )}
      <ZoomButtons engine={engine} isWhole={isWhole} texts={texts} />
    </div>
  );
}
