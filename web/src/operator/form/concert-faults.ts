import { postOperatorConcertsLimits } from '../../api/generated/limits.js';
import type { OperatorText } from '../texts/index.js';
import { type Checks } from './checks.js';
import type { AboutDraft, ChartDraft, ConcertDraft, DateDraft, SectionDraft } from './concert-draft.js';
import { countByCategory } from './plan.js';
import { policyFaults, type PolicyFaults } from './policy-draft.js';

const LIMITS = postOperatorConcertsLimits.body;
const SECTION_LIMITS = LIMITS.schedules.items.sections.items;
const DESCRIPTION_MAX = LIMITS.description.maxLength;
const DATES_MAX = LIMITS.schedules.maxItems;
/** The server counts seats after it has laid them out; its API description does not state these limits. */
const SEATS_PER_DATE_MAX = 100_000;
const SEATS_PER_CONCERT_MAX = 500_000;

type Faults<Draft> = Partial<Record<keyof Draft, string | undefined>>;

export interface ChartFaults {
  readonly whole: string | undefined;
  readonly sections: readonly Faults<SectionDraft>[];
  readonly prices: Readonly<Record<string, string | undefined>>;
}

export interface ConcertFaults {
  readonly about: Faults<AboutDraft>;
  readonly policy: PolicyFaults;
  readonly dates: readonly Faults<DateDraft>[];
  readonly allDates: string | undefined;
  readonly charts: readonly ChartFaults[];
}

interface Tools {
  readonly checks: Checks;
  readonly text: OperatorText;
  readonly number: (value: number) => string;
  readonly currency: string;
}

export function aboutFaults(about: AboutDraft, { checks, text }: Tools): Faults<AboutDraft> {
  const { salesOpenAt, salesCloseAt } = about;
  const closes = salesCloseAt === '' ? undefined : checks.time(salesCloseAt);
  const isMixedUp = salesOpenAt !== '' && salesCloseAt !== '' && salesCloseAt <= salesOpenAt;
  return {
    title: checks.line(about.title, LIMITS.title),
    venue: checks.line(about.venue, LIMITS.venue),
    description:
      Array.from(about.description.trim()).length > DESCRIPTION_MAX
        ? text.faults.tooLong(DESCRIPTION_MAX)
        : undefined,
    salesOpenAt: salesOpenAt === '' ? undefined : checks.time(salesOpenAt),
    salesCloseAt: closes ?? (isMixedUp ? text.faults.closesFirst : undefined),
  };
}

/** How many seats a chart has, as far as it can be read. */
function countSeats({ by, sections, file }: ChartDraft): number {
  if (by === 'plan') {
    const counts = file?.state === 'fine' ? [...countByCategory(file.plan).values()] : [];
    return counts.reduce((sum, count) => sum + count, 0);
  }
  return sections.reduce((sum, { rows, seatsPerRow }) => sum + (Number(rows) * Number(seatsPerRow) || 0), 0);
}

function sectionFaults(
  section: SectionDraft,
  all: readonly SectionDraft[],
  tools: Tools,
): Faults<SectionDraft> {
  const { checks, text, currency } = tools;
  const name = section.name.trim();
  const isTwice = all.some((other) => other !== section && other.name.trim() === name);
  return {
    name: checks.line(section.name, SECTION_LIMITS.name) ?? (isTwice ? text.faults.sameSection : undefined),
    rows: checks.whole(section.rows, SECTION_LIMITS.rows),
    seatsPerRow: checks.whole(section.seatsPerRow, SECTION_LIMITS.seatsPerRow),
    grade: checks.line(section.grade, SECTION_LIMITS.grade),
    price: checks.price(section.price, currency),
  };
}

function chartFaults(chart: ChartDraft, isUsed: boolean, tools: Tools): ChartFaults {
  const { checks, text, number, currency } = tools;
  const tooMany = countSeats(chart) > SEATS_PER_DATE_MAX;
  const size = tooMany ? text.faults.tooManySeats(number(SEATS_PER_DATE_MAX)) : undefined;
  const use = isUsed ? undefined : text.faults.unused;
  if (chart.by === 'sections') {
    const none = chart.sections.length === 0 ? text.faults.noSections : undefined;
    const sections = chart.sections.map((section) => sectionFaults(section, chart.sections, tools));
    return { whole: none ?? size ?? use, sections, prices: {} };
  }
  if (chart.file?.state !== 'fine') return { whole: text.faults.noFile, sections: [], prices: {} };
  const names = [...countByCategory(chart.file.plan).keys()];
  const prices = names.map((name) => [name, checks.price(chart.prices[name] ?? '', currency)] as const);
  return { whole: size ?? use, sections: [], prices: Object.fromEntries(prices) };
}

function dateFaults(date: DateDraft, all: readonly DateDraft[], { checks, text }: Tools): Faults<DateDraft> {
  const isTwice = all.some((other) => other !== date && other.startsAt === date.startsAt);
  return { startsAt: checks.time(date.startsAt) ?? (isTwice ? text.faults.sameDate : undefined) };
}

export function concertFaults({ about, policy, dates, charts }: ConcertDraft, tools: Tools): ConcertFaults {
  const { text, number } = tools;
  const seats = dates.reduce((sum, date) => {
    const chart = charts.find(({ key }) => key === date.chart);
    return sum + (chart ? countSeats(chart) : 0);
  }, 0);
  const allDates =
    (dates.length === 0 ? text.faults.noDates : undefined) ??
    (dates.length > DATES_MAX ? text.faults.tooManyDates(DATES_MAX) : undefined) ??
    (seats > SEATS_PER_CONCERT_MAX
      ? text.faults.tooManySeatsInAll(number(SEATS_PER_CONCERT_MAX))
      : undefined);
  return {
    about: aboutFaults(about, tools),
    policy: policyFaults(policy, tools.checks),
    dates: dates.map((date) => dateFaults(date, dates, tools)),
    allDates,
    charts: charts.map((chart) =>
      chartFaults(
        chart,
        dates.some((date) => date.chart === chart.key),
        tools,
      ),
    ),
  };
}

/** How many fields need attention, however deep they are. */
export function countFaults(faults: unknown): number {
  if (typeof faults === 'string') return 1;
  if (typeof faults !== 'object' || faults === null) return 0;
  return Object.values(faults).reduce((sum: number, each: unknown) => sum + countFaults(each), 0);
}
