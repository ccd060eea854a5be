import { type RefObject, useEffect } from 'react';
import type { Chart } from '../chart/chart.js';
import { type Engine, createEngine } from './engine.js';
import type { Scene } from '../paint/scene-painter.js';
import type { Texts } from '../texts.js';
import { onThemeChange, readTheme } from '../paint/theme.js';

/** Connects an engine to a canvas: its size, theme, content and disposal. */
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
      made.dispose();
      engineRef.current = null;
    };
  }, [engineRef, canvas, chart, onCamera]);

  useEffect(() => {
    const root = canvas.current?.parentElement;
    if (!root) return undefined;
    const updateTheme = (): void => engineRef.current?.setTheme(readTheme(root), texts);
    updateTheme();
    return onThemeChange(updateTheme);
  }, [engineRef, canvas, chart, texts]);

  const { states, selected, ringed } = scene;
  useEffect(() => {
    engineRef.current?.show({ states, selected, ringed });
  }, [engineRef, chart, states, selected, ringed]);
}
