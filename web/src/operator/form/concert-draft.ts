import type { NewConcert } from '../operator-api.js';
import { parsePrice } from './parse-price.js';
import type { PlanFile } from './plan/plan-file.js';
import { countByCategory } from './plan/plan.js';
import { NEW_CONCERT_POLICY, type PolicyDraft, toDraft, toPolicy } from './policy/policy-draft.js';
import { type FactsDraft, NO_FACTS, toFacts } from './facts/facts-draft.js';
import { addDays, parseLocalTime } from './local-time.js';

/** The details of a concert as typed in a form. */
export interface DetailsDraft extends FactsDraft {
  readonly title: string;
  readonly venue: string;
  readonly description: string;
  /** Of the venue. All times of the form are in it. */
  readonly timeZone: string;
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
  /** The price typed for each category of the plan. */
  readonly prices: Readonly<Record<string, string>>;
}

export interface DateDraft {
  readonly key: number;
  readonly startsAt: string;
  /** The key of its chart. New dates share one. */
  readonly chart: number;
}

export interface ConcertDraft {
  readonly details: DetailsDraft;
  readonly policy: PolicyDraft;
  readonly dates: readonly DateDraft[];
  readonly charts: readonly ChartDraft[];
}

let keys = 0;
/** React keys for list entries that can be moved. */
const nextKey = (): number => (keys += 1);

export const emptySection = (like?: SectionDraft): SectionDraft => ({
  key: nextKey(),
  name: '',
  rows: like?.rows ?? '10',
  seatsPerRow: like?.seatsPerRow ?? '20',
  grade: like?.grade ?? '',
  price: like?.price ?? '',
});

export const emptyChart = (): ChartDraft => ({
  key: nextKey(),
  by: 'sections',
  sections: [emptySection()],
  file: undefined,
  prices: {},
});

export const copyChart = (chart: ChartDraft): ChartDraft => ({
  ...chart,
  key: nextKey(),
  sections: chart.sections.map((section) => ({ ...section, key: nextKey() })),
});

export const emptyDate = (chart: number): DateDraft => ({ key: nextKey(), startsAt: '', chart });

/** The same date one day later. */
export const copyDate = (date: DateDraft): DateDraft => ({
  ...date,
  key: nextKey(),
  startsAt: addDays(date.startsAt, 1),
});

export function emptyConcert(timeZone: string): ConcertDraft {
  const chart = emptyChart();
  return {
    details: {
      title: '',
      venue: '',
      description: '',
      timeZone,
      salesOpenAt: '',
      salesCloseAt: '',
      ...NO_FACTS,
    },
    policy: toDraft(NEW_CONCERT_POLICY),
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
  if (chart.file?.state !== 'valid') return {};
  const { plan } = chart.file;
  const prices = [...countByCategory(plan).keys()].map((name) => [name, priceOf(chart.prices[name] ?? '')]);
  return { plan, prices: Object.fromEntries(prices) as Record<string, number> };
}

export const toDetails = ({
  title,
  venue,
  description,
  timeZone,
  salesOpenAt,
  salesCloseAt,
  ...facts
}: DetailsDraft) => ({
  ...toFacts(facts),
  title: title.trim(),
  venue: venue.trim(),
  description: description.trim(),
  timeZone: timeZone.trim(),
  salesOpenAt: parseLocalTime(salesOpenAt, timeZone.trim()) ?? null,
  salesCloseAt: parseLocalTime(salesCloseAt, timeZone.trim()) ?? null,
});

/** The request body, for a valid form. The concert is a draft until the promoter publishes it. */
export function toRequest(draft: ConcertDraft, currency: string): NewConcert {
  const seats = new Map(draft.charts.map((chart) => [chart.key, toSeats(chart, currency)]));
  const details = toDetails(draft.details);
  return {
    ...details,
    draft: true,
    waitingRoom: toPolicy(draft.policy),
    schedules: draft.dates.map(({ startsAt, chart }) => ({
      startsAt: parseLocalTime(startsAt, details.timeZone) ?? '',
      ...seats.get(chart),
    })),
  };
}
