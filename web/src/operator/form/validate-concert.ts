import { postOperatorConcertsLimits } from '../../api/generated/limits.js';
import type { OperatorText } from '../texts/index.js';
import { type Validators } from './validators.js';
import type { DetailsDraft, ChartDraft, ConcertDraft, DateDraft, SectionDraft } from './concert-draft.js';
import { validateFacts } from './facts/facts-draft.js';
import { isTimeZone } from './local-time.js';
import { countByCategory } from './plan/plan.js';
import { validatePolicy, type PolicyErrors } from './policy/policy-draft.js';

const LIMITS = postOperatorConcertsLimits.body;
const SECTION_LIMITS = LIMITS.schedules.items.sections.items;
const DESCRIPTION_MAX = LIMITS.description.maxLength;
const DATES_MAX = LIMITS.schedules.maxItems;
/** The server counts seats after it has laid them out; its API description does not state these limits. */
const SEATS_PER_DATE_MAX = 100_000;
const SEATS_PER_CONCERT_MAX = 500_000;

type FieldErrors<Draft> = Partial<Record<keyof Draft, string | undefined>>;

export interface ChartErrors {
  readonly whole: string | undefined;
  readonly sections: readonly FieldErrors<SectionDraft>[];
  readonly prices: Readonly<Record<string, string | undefined>>;
}

export interface ConcertErrors {
  readonly about: FieldErrors<DetailsDraft>;
  readonly policy: PolicyErrors;
  readonly dates: readonly FieldErrors<DateDraft>[];
  readonly allDates: string | undefined;
  readonly charts: readonly ChartErrors[];
}

interface ValidationContext {
  readonly validators: Validators;
  readonly text: OperatorText;
  readonly number: (value: number) => string;
  readonly currency: string;
}

export function validateDetails(
  about: DetailsDraft,
  { validators, text }: ValidationContext,
): FieldErrors<DetailsDraft> {
  const { salesOpenAt, salesCloseAt } = about;
  const closes = salesCloseAt === '' ? undefined : validators.time(salesCloseAt);
  const closesBeforeOpening = salesOpenAt !== '' && salesCloseAt !== '' && salesCloseAt <= salesOpenAt;
  return {
    ...validateFacts(about, validators, text),
    title: validators.singleLine(about.title, LIMITS.title),
    venue: validators.singleLine(about.venue, LIMITS.venue),
    description:
      Array.from(about.description.trim()).length > DESCRIPTION_MAX
        ? text.errors.tooLong(DESCRIPTION_MAX)
        : undefined,
    timeZone: isTimeZone(about.timeZone.trim()) ? undefined : text.errors.notATimeZone,
    salesOpenAt: salesOpenAt === '' ? undefined : validators.time(salesOpenAt),
    salesCloseAt: closes ?? (closesBeforeOpening ? text.errors.closesFirst : undefined),
  };
}

/** The number of seats of a chart; invalid entries count as 0. */
function countSeats({ by, sections, file }: ChartDraft): number {
  if (by === 'plan') {
    const counts = file?.state === 'valid' ? [...countByCategory(file.plan).values()] : [];
    return counts.reduce((sum, count) => sum + count, 0);
  }
  return sections.reduce((sum, { rows, seatsPerRow }) => sum + (Number(rows) * Number(seatsPerRow) || 0), 0);
}

function validateSection(
  section: SectionDraft,
  all: readonly SectionDraft[],
  tools: ValidationContext,
): FieldErrors<SectionDraft> {
  const { validators, text, currency } = tools;
  const name = section.name.trim();
  const isDuplicate = all.some((other) => other !== section && other.name.trim() === name);
  return {
    name:
      validators.singleLine(section.name, SECTION_LIMITS.name) ??
      (isDuplicate ? text.errors.sameSection : undefined),
    rows: validators.wholeNumber(section.rows, SECTION_LIMITS.rows),
    seatsPerRow: validators.wholeNumber(section.seatsPerRow, SECTION_LIMITS.seatsPerRow),
    grade: validators.singleLine(section.grade, SECTION_LIMITS.grade),
    price: validators.price(section.price, currency),
  };
}

function validateChart(chart: ChartDraft, isUsed: boolean, tools: ValidationContext): ChartErrors {
  const { validators, text, number, currency } = tools;
  const tooMany = countSeats(chart) > SEATS_PER_DATE_MAX;
  const size = tooMany ? text.errors.tooManySeats(number(SEATS_PER_DATE_MAX)) : undefined;
  const use = isUsed ? undefined : text.errors.unused;
  if (chart.by === 'sections') {
    const none = chart.sections.length === 0 ? text.errors.noSections : undefined;
    const sections = chart.sections.map((section) => validateSection(section, chart.sections, tools));
    return { whole: none ?? size ?? use, sections, prices: {} };
  }
  if (chart.file?.state !== 'valid') return { whole: text.errors.noFile, sections: [], prices: {} };
  const names = [...countByCategory(chart.file.plan).keys()];
  const prices = names.map((name) => [name, validators.price(chart.prices[name] ?? '', currency)] as const);
  return { whole: size ?? use, sections: [], prices: Object.fromEntries(prices) };
}

function validateDate(
  date: DateDraft,
  all: readonly DateDraft[],
  { validators, text }: ValidationContext,
): FieldErrors<DateDraft> {
  const isDuplicate = all.some((other) => other !== date && other.startsAt === date.startsAt);
  return { startsAt: validators.time(date.startsAt) ?? (isDuplicate ? text.errors.sameDate : undefined) };
}

export function validateConcert(
  { details, policy, dates, charts }: ConcertDraft,
  tools: ValidationContext,
): ConcertErrors {
  const { text, number } = tools;
  const seats = dates.reduce((sum, date) => {
    const chart = charts.find(({ key }) => key === date.chart);
    return sum + (chart ? countSeats(chart) : 0);
  }, 0);
  const allDates =
    (dates.length === 0 ? text.errors.noDates : undefined) ??
    (dates.length > DATES_MAX ? text.errors.tooManyDates(DATES_MAX) : undefined) ??
    (seats > SEATS_PER_CONCERT_MAX
      ? text.errors.tooManySeatsInAll(number(SEATS_PER_CONCERT_MAX))
      : undefined);
  return {
    about: validateDetails(details, tools),
    policy: validatePolicy(policy, tools.validators),
    dates: dates.map((date) => validateDate(date, dates, tools)),
    allDates,
    charts: charts.map((chart) =>
      validateChart(
        chart,
        dates.some((date) => date.chart === chart.key),
        tools,
      ),
    ),
  };
}

/** Counts the errors in a nested structure. */
export function countErrors(errors: unknown): number {
  if (typeof errors === 'string') return 1;
  if (typeof errors !== 'object' || errors === null) return 0;
  return Object.values(errors).reduce((sum: number, each: unknown) => sum + countErrors(each), 0);
}
