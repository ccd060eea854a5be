import type { NewConcert } from '../desk.js';
import { parsePrice } from './money.js';
import type { PlanFile } from './plan-file.js';
import { countByCategory } from './plan.js';
import { DEFAULT_POLICY, type PolicyDraft, toDraft, toPolicy } from './policy-draft.js';
import { daysLater, parseLocalTime } from './times.js';

/** What is told of a concert, as it stands in a form. */
export interface AboutDraft {
  readonly title: string;
  readonly venue: string;
  readonly description: string;
  readonly salesOpenAt: string;
  readonly salesCloseAt: string;
}

export interface SectionDraft {
  readonly key: number;
  readonly name: string;
  readonly rows: string;
  readonly seatsPerRow: string;
  readonly grade: string;
  readonly price: string;
}

export interface ChartDraft {
  readonly key: number;
  readonly by: 'sections' | 'plan';
  readonly sections: readonly SectionDraft[];
  readonly file: PlanFile | undefined;
  /** By category. */
  readonly prices: Readonly<Record<string, string>>;
}

export interface DateDraft {
  readonly key: number;
  readonly startsAt: string;
  /** Which chart, by its key: dates share one until the promoter says otherwise. */
  readonly chart: number;
}

export interface ConcertDraft {
  readonly about: AboutDraft;
  readonly policy: PolicyDraft;
  readonly dates: readonly DateDraft[];
  readonly charts: readonly ChartDraft[];
}

let keys = 0;
/** Names an entry of a list while it is moved about. */
const newKey = (): number => (keys += 1);

export const emptySection = (like?: SectionDraft): SectionDraft => ({
  key: newKey(),
  name: '',
  rows: like?.rows ?? '10',
  seatsPerRow: like?.seatsPerRow ?? '20',
  grade: like?.grade ?? '',
  price: like?.price ?? '',
});

export const emptyChart = (): ChartDraft => ({
  key: newKey(),
  by: 'sections',
  sections: [emptySection()],
  file: undefined,
  prices: {},
});

export const copyChart = (chart: ChartDraft): ChartDraft => ({
  ...chart,
  key: newKey(),
  sections: chart.sections.map((section) => ({ ...section, key: newKey() })),
});

export const emptyDate = (chart: number): DateDraft => ({ key: newKey(), startsAt: '', chart });

/** The next day at the same time, with the same seats. */
export const copyDate = (date: DateDraft): DateDraft => ({
  ...date,
  key: newKey(),
  startsAt: daysLater(date.startsAt, 1),
});

export function emptyConcert(): ConcertDraft {
  const chart = emptyChart();
  return {
    about: { title: '', venue: '', description: '', salesOpenAt: '', salesCloseAt: '' },
    policy: toDraft(DEFAULT_POLICY),
    dates: [emptyDate(chart.key)],
    charts: [chart],
  };
}

type NewDate = NewConcert['schedules'][number];

function toSeats(chart: ChartDraft, currency: string): Omit<NewDate, 'startsAt'> {
  const priceOf = (text: string): number => parsePrice(text, currency) ?? 0;
  if (chart.by === 'sections') {
    return {
      sections: chart.sections.map((section) => ({
        name: section.name.trim(),
        rows: Number(section.rows),
        seatsPerRow: Number(section.seatsPerRow),
        grade: section.grade.trim(),
        price: priceOf(section.price),
      })),
    };
  }
  if (chart.file?.state !== 'fine') return {};
  const { plan } = chart.file;
  const prices = [...countByCategory(plan).keys()].map((name) => [name, priceOf(chart.prices[name] ?? '')]);
  return { plan, prices: Object.fromEntries(prices) as Record<string, number> };
}

export const toAbout = ({ title, venue, description, salesOpenAt, salesCloseAt }: AboutDraft) => ({
  title: title.trim(),
  venue: venue.trim(),
  description: description.trim(),
  salesOpenAt: parseLocalTime(salesOpenAt) ?? null,
  salesCloseAt: parseLocalTime(salesCloseAt) ?? null,
});

/** What the server is told. Only for a draft without faults. */
export function toRequest(draft: ConcertDraft, currency: string): NewConcert {
  const seats = new Map(draft.charts.map((chart) => [chart.key, toSeats(chart, currency)]));
  return {
    ...toAbout(draft.about),
    waitingRoom: toPolicy(draft.policy),
    schedules: draft.dates.map(({ startsAt, chart }) => ({
      startsAt: parseLocalTime(startsAt) ?? '',
      ...seats.get(chart),
    })),
  };
}
