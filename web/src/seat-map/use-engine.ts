import { type RefObject, useEffect } from 'react';
import type { Chart } from './chart.js';
import { type Engine, createEngine } from './engine.js';
import type { Scene } from './scene.js';
import type { Texts } from './texts.js';
import { onThemeChange, readTheme } from './theme.js';

/** Ties an engine to a canvas: its size, its colours, what it shows, and the end of its life. */
export function useEngine(
  engine: RefObject<Engine | null>,
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
    engine.current = made;
    const observer = new ResizeObserver(() => {
      made.resize({ width: frame.clientWidth, height: frame.clientHeight }, devicePixelRatio);
    });
    observer.observe(frame);
    return () => {
      observer.disconnect();
      made.stop();
      engine.current = null;
    };
  }, [engine, canvas, chart, onCamera]);

  useEffect(() => {
    const root = canvas.current?.parentElement;
    if (!root) return undefined;
    const dress = (): void => engine.current?.dress(readTheme(root), texts);
    dress();
    return onThemeChange(dress);
  }, [engine, canvas, chart, texts]);

  const { states, selected, ringed } = scene;
  useEffect(() => {
    engine.current?.show({ states, selected, ringed });
  }, [engine, chart, states, selected, ringed]);
}
