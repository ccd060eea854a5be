import { type RefObject, useEffect } from 'react';
import type { Chart } from './chart.js';
import { type Engine, createEngine } from './engine.js';
import type { Scene } from './scene.js';
import type { Texts } from './texts.js';
import { onThemeChange, readTheme } from './theme.js';

/** Ties an engine to a canvas: its size, its colours, what it shows, and the end of its life. */
export function useEngine(
  engineRef: RefObject<Engine | null>,
  canvas: RefObject<HTMLCanvasElement | null>,
  chart: Chart,
  texts: Texts,
  scene: Scene,
  onCamera: RefObject<(isWhole: boolean) => void>,
): void {
  useEffect(() => {
    const element = canvas.current;
    const frame = element?.parentElement;
    if (!element || !frame) return undefined;
    const made = createEngine(element, chart, (isWhole) => {
      onCamera.current(isWhole);
    });
    engineRef.current = made;
    const observer = new ResizeObserver(() => {
      made.resize({ width: frame.clientWidth, height: frame.clientHeight }, devicePixelRatio);
    });
    observer.observe(frame);
    return () => {
      observer.disconnect();
      made.stop();
      engineRef.current = null;
    };
  }, [engineRef, canvas, chart, onCamera]);

  useEffect(() => {
    const root = canvas.current?.parentElement;
    if (!root) return undefined;
    const dress = (): void => engineRef.current?.dress(readTheme(root), texts);
    dress();
    return onThemeChange(dress);
  }, [engineRef, canvas, chart, texts]);

  const { states, selected, ringed } = scene;
  useEffect(() => {
    engineRef.current?.show({ states, selected, ringed });
  }, [engineRef, chart, states, selected, ringed]);
}
