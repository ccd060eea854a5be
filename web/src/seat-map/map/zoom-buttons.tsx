import type { RefObject } from 'react';
import type { Engine } from './engine.js';
import type { Texts } from '../texts.js';

interface Props {
  readonly engine: RefObject<Engine | null>;
  readonly isWhole: boolean;
  readonly texts: Texts;
}

const STEP = 1.8;

export function ZoomButtons({ engine, isWhole, texts }: Props) {
  return (
    <div className="seat-map__zoom">
      <ZoomButton name={texts.zoomIn} icon="M-5 0H5M0-5V5" onPress={() => engine.current?.zoomBy(STEP)} />
      <ZoomButton
        name={texts.zoomOut}
        icon="M-5 0H5"
        isOff={isWhole}
        onPress={() => engine.current?.zoomBy(1 / STEP)}
      />
      <ZoomButton
        name={texts.showAll}
        icon="M-6-2V-6H-2M2-6H6V-2M6 2V6H2M-2 6H-6V2"
        isOff={isWhole}
        onPress={() => engine.current?.showAll()}
      />
    </div>
  );
}

interface ButtonProps {
  readonly name: string;
  readonly icon: string;
  readonly isOff?: boolean;
  readonly onPress: () => void;
}

function ZoomButton({ name, icon, isOff = false, onPress }: ButtonProps) {
  // aria-disabled instead of disabled: a disabled button would lose the keyboard focus.
  return (
    <button type="button" aria-label={name} title={name} aria-disabled={isOff} onClick={onPress}>
      <svg viewBox="-10 -10 20 20" aria-hidden="true">
        <path d={icon} />
      </svg>
    </button>
  );
}
