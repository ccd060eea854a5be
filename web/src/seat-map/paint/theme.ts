import { COLOUR_COUNT } from './seat-shapes.js';

/** The colours of seat-colours.css, resolved for the current colour scheme: a canvas needs plain values. */
export interface Theme {
  readonly surface: string;
  readonly ground: string;
  readonly ink: string;
  readonly muted: string;
  /** For sold seats: visible but unobtrusive. */
  readonly faint: string;
  readonly stage: string;
  readonly onStage: string;
  readonly line: string;
  readonly accent: string;
  /** Text on a grade's colour. */
  readonly onGrade: string;
  readonly onInk: string;
  readonly grades: readonly string[];
  readonly tints: readonly string[];
  readonly font: string;
}

export function readTheme(root: HTMLElement): Theme {
  // A computed custom property is unresolved text; the computed `color` of an element is a plain value.
  const probe = document.createElement('span');
  probe.hidden = true;
  root.append(probe);
  const resolve = (colour: string): string => {
    probe.style.color = colour;
    return getComputedStyle(probe).color;
  };
  const byGrade = (colour: (name: string) => string): string[] =>
    Array.from({ length: COLOUR_COUNT }, (_, index) => resolve(colour(`var(--seat-grade-${index})`)));
  const theme = {
    surface: resolve('var(--seat-surface)'),
    ground: resolve('var(--seat-ground)'),
    ink: resolve('var(--seat-ink)'),
    muted: resolve('var(--seat-muted)'),
    faint: resolve('color-mix(in srgb, var(--seat-muted) 62%, var(--seat-surface))'),
    stage: resolve('var(--seat-stage)'),
    onStage: resolve('var(--seat-on-stage)'),
    line: resolve('var(--seat-line)'),
    accent: resolve('var(--seat-accent)'),
    onGrade: resolve('var(--seat-on-grade)'),
    onInk: resolve('var(--seat-surface)'),
    grades: byGrade((name) => name),
    tints: byGrade((name) => `color-mix(in srgb, ${name} 26%, var(--seat-surface))`),
    font: getComputedStyle(root).fontFamily,
  };
  probe.remove();
  return theme;
}

const QUERIES = ['(prefers-color-scheme: dark)', '(forced-colors: active)'];

/** Calls back when the colours may have changed: by the system's colour scheme or an attribute of the page. */
export function onThemeChange(onChange: () => void): () => void {
  const queries = QUERIES.map((query) => matchMedia(query));
  for (const query of queries) query.addEventListener('change', onChange);
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['class', 'data-theme', 'style'],
  });
  return () => {
    for (const query of queries) query.removeEventListener('change', onChange);
    observer.disconnect();
  };
}
