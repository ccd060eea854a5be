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

/** The series of one name: one HELP and one TYPE, told apart by their labels. */
interface Family {
  readonly kind: Kind;
  readonly head: string;
  readonly series: Map<string, Series>;
}

/** Handles are made once and kept by who counts; asking again for the same name and labels answers the same handle. */
export interface Metrics {
  counter(name: string, help: string, labels?: Labels): Counter;
  /** A counter whose total is kept elsewhere and read at each scrape. */
  counterOf(name: string, help: string, labels: Labels | undefined, read: () => number): void;
  gauge(name: string, help: string, labels: Labels | undefined, read: () => number): void;
  histogram(name: string, help: string, buckets: readonly number[], labels?: Labels): Histogram;
  /** Called at the start of each scrape, before anything is read: several gauges can share one measurement. */
  onScrape(prepare: () => void): void;
  render(): string;
  readonly contentType: string;
}

export function createMetrics(): Metrics {
  const families = new Map<string, Family>();
  const preparations: (() => void)[] = [];

  function familyOf(kind: Kind, name: string, help: string): Map<string, Series> {
    const known = families.get(name);
    assert(known === undefined || known.kind === kind, `${name} is already a ${known?.kind ?? ''}`);
    if (known) return known.series;
    const family = { kind, head: headText(name, help, kind), series: new Map<string, Series>() };
    families.set(name, family);
    return family.series;
  }

  function addRead(
    kind: Kind,
    name: string,
    help: string,
    labels: Labels | undefined,
    read: () => number,
  ): void {
    const family = familyOf(kind, name, help);
    const text = labelText(labels ?? {});
    assert(!family.has(text), `${name}{${text}} is already read from somewhere`);
    family.set(text, new ReadSeries(name, text, read));
  }

  return {
    contentType: CONTENT_TYPE,

    counter(name, help, labels = {}) {
      const family = familyOf('counter', name, help);
      const text = labelText(labels);
      const known = family.get(text);
      if (known instanceof CountedSeries) return known;
      assert(known === undefined, `${name}{${text}} is already read from somewhere`);
      const series = new CountedSeries(name, text);
      family.set(text, series);
      return series;
    },

    counterOf(name, help, labels, read) {
      addRead('counter', name, help, labels, read);
    },

    gauge(name, help, labels, read) {
      addRead('gauge', name, help, labels, read);
    },

    histogram(name, help, buckets, labels = {}) {
      assert(!('le' in labels), `le is the histogram's own label, in ${name}`);
      const family = familyOf('histogram', name, help);
      const text = labelText(labels);
      const known = family.get(text);
      if (known instanceof HistogramSeries) {
        assert(known.bounds.join() === buckets.join(), `${name}{${text}} already has other buckets`);
        return known;
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
