import { COLOUR_COUNT } from './patterns.js';

/** The colours of seat-colours.css as the canvas needs them: resolved for light or dark, as it is now. */
export interface Theme {
  readonly surface: string;
  readonly ground: string;
  readonly ink: string;
  readonly muted: string;
  /** For what is gone: seen when looked for, and quiet otherwise. */
  readonly faint: string;
  readonly stage: string;
  readonly onStage: string;
  readonly line: string;
  readonly accent: string;
  /** What is written on a grade's colour. */
  readonly onGrade: string;
  readonly onInk: string;
  readonly grades: readonly string[];
  readonly tints: readonly string[];
  readonly font: string;
}

export function readTheme(root: HTMLElement): Theme {
  // A custom property is computed as it was written; only a real property's colour comes out resolved.
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

/** Tells when the colours may have changed: the system's scheme, or the page's own choice of one. */
export function onThemeChange(told: () => void): () => void {
  const queries = QUERIES.map((query) => matchMedia(query));
  for (const query of queries) query.addEventListener('change', told);
  const observer = new MutationObserver(told);
  observer.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['class', 'data-theme', 'style'],
  });
  return () => {
    for (const query of queries) query.removeEventListener('change', told);
    observer.disconnect();
  };
}
