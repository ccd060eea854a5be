import { assert } from '../../kernel/assert.js';

/** The Prometheus text format, version 0.0.4. */
export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export type Labels = Readonly<Record<string, string>>;

const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', '\\"');

export function headText(name: string, help: string, type: string): string {
  assert(METRIC_NAME.test(name), `invalid metric name: ${name}`);
  return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
}

/** Sorted by name, so that the same labels give the same text in any order. */
export function labelText(labels: Labels): string {
  return Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => {
      assert(LABEL_NAME.test(name), `invalid label name: ${name}`);
      return `${name}="${escapeLabel(value)}"`;
    })
    .join(',');
}

export const joinLabels = (first: string, second: string): string =>
  first === '' ? second : `${first},${second}`;

export const sampleName = (name: string, labels: string): string =>
  labels === '' ? name : `${name}{${labels}}`;

export function numberText(value: number): string {
  if (value === Infinity) return '+Inf';
  if (value === -Infinity) return '-Inf';
  return String(value);
}
