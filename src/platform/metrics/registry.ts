import { assert } from '../../kernel/assert.js';
import {
  CountedSeries,
  type Counter,
  type Histogram,
  HistogramSeries,
  ReadSeries,
  type Series,
} from './series.js';
import { CONTENT_TYPE, headText, type Labels, labelText } from './text.js';

type Kind = 'counter' | 'gauge' | 'histogram';

/** All series of one name. They share HELP and TYPE and differ in their labels. */
interface Family {
  readonly kind: Kind;
  readonly head: string;
  readonly series: Map<string, Series>;
}

/**
 * A registry of metrics in the Prometheus text format. A name has one type, and a name with labels is one series:
 * asking for it again returns the same counter or histogram. Callers keep the returned object; counting must never look
 * anything up.
 */
export interface Metrics {
  counter(name: string, help: string, labels?: Labels): Counter;
  /** A counter whose value is read at each scrape. */
  counterOf(name: string, help: string, labels: Labels | undefined, read: () => number): void;
  gauge(name: string, help: string, labels: Labels | undefined, read: () => number): void;
  histogram(name: string, help: string, buckets: readonly number[], labels?: Labels): Histogram;
  /** Called at the start of each scrape, before any value is read, so that gauges can share one measurement. */
  onScrape(prepare: () => void): void;
  render(): string;
  readonly contentType: string;
}

export function createMetrics(): Metrics {
  const families = new Map<string, Family>();
  const preparations: (() => void)[] = [];

  function familyOf(kind: Kind, name: string, help: string): Map<string, Series> {
    const existing = families.get(name);
    assert(existing === undefined || existing.kind === kind, `${name} is already a ${existing?.kind ?? ''}`);
    if (existing) return existing.series;
    const family = { kind, head: headText(name, help, kind), series: new Map<string, Series>() };
    families.set(name, family);
    return family.series;
  }

  function addReadSeries(
    kind: Kind,
    name: string,
    help: string,
    labels: Labels | undefined,
    read: () => number,
  ): void {
    const family = familyOf(kind, name, help);
    const text = labelText(labels ?? {});
    assert(!family.has(text), `${name}{${text}} already has a read function`);
    family.set(text, new ReadSeries(name, text, read));
  }

  return {
    contentType: CONTENT_TYPE,

    counter(name, help, labels = {}) {
      const family = familyOf('counter', name, help);
      const text = labelText(labels);
      const existing = family.get(text);
      if (existing instanceof CountedSeries) return existing;
      assert(existing === undefined, `${name}{${text}} already has a read function`);
      const series = new CountedSeries(name, text);
      family.set(text, series);
      return series;
    },

    counterOf(name, help, labels, read) {
      addReadSeries('counter', name, help, labels, read);
    },

    gauge(name, help, labels, read) {
      addReadSeries('gauge', name, help, labels, read);
    },

    histogram(name, help, buckets, labels = {}) {
      assert(!('le' in labels), `${name} must not use the reserved label le`);
      const family = familyOf('histogram', name, help);
      const text = labelText(labels);
      const existing = family.get(text);
      if (existing instanceof HistogramSeries) {
        assert(existing.bounds.join() === buckets.join(), `${name}{${text}} already has other buckets`);
        return existing;
      }
      const series = new HistogramSeries(name, text, [...buckets]);
      family.set(text, series);
      return series;
    },

    onScrape(prepare) {
      preparations.push(prepare);
    },

    render() {
      for (const prepare of preparations) prepare();
      let text = '';
      for (const { head, series } of families.values()) {
        text += head;
        for (const one of series.values()) text += one.render();
      }
      return text;
    },
  };
}
