import type { ConcertDraft } from './concert-draft.js';
import type { FaultPlacer } from './server-faults.js';
import type { ChartErrors, ConcertErrors } from './validate-concert.js';

type FieldErrors = Readonly<Record<string, string | undefined>>;

/** Puts faults at the fields that have no error of their own. Every field of the form has a key in `errors`. */
function placeAt<Errors extends FieldErrors>(
  errors: Errors,
  at: (field: string) => string | undefined,
): Errors {
  const placed = Object.entries(errors).map(([field, error]) => [field, error ?? at(field)] as const);
  return { ...errors, ...Object.fromEntries(placed) };
}

export const placeDetailsFaults = <Errors extends FieldErrors>(errors: Errors, faults: FaultPlacer): Errors =>
  placeAt(errors, (field) => faults.at(`/${field}`));

/** `path` is the path of the policy in the request, which has seconds where the form has minutes. */
const placePolicyFaults = <Errors extends FieldErrors>(
  errors: Errors,
  faults: FaultPlacer,
  path: string,
): Errors => placeAt(errors, (field) => faults.at(`${path}/${field.replace(/Minutes$/, 'Seconds')}`));

/** Puts the server's faults at the fields of a new concert. */
export function placeConcertFaults(
  errors: ConcertErrors,
  draft: ConcertDraft,
  faults: FaultPlacer,
): ConcertErrors {
  /** The seats of a chart are sent with each date that uses it. */
  const placeInChart = (key: number, chart: ChartErrors): ChartErrors => {
    const dates = draft.dates.flatMap((date, at) => (date.chart === key ? [`/schedules/${at}`] : []));
    const ask = (find: (date: string) => string | undefined): string | undefined =>
      dates.map(find).find((text) => text !== undefined);
    const sections = chart.sections.map((section, at) =>
      placeAt(section, (field) => ask((date) => faults.at(`${date}/sections/${at}/${field}`))),
    );
    const prices = placeAt(chart.prices, (name) =>
      ask((date) => faults.at(`${date}/prices/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)),
    );
    const rest = ['sections', 'plan', 'prices'].map((part) =>
      ask((date) => faults.within(`${date}/${part}`)),
    );
    return { sections, prices, whole: chart.whole ?? rest.find((text) => text !== undefined) };
  };
  return {
    about: placeDetailsFaults(errors.about, faults),
    policy: placePolicyFaults(errors.policy, faults, '/waitingRoom'),
    dates: errors.dates.map((date, at) => placeAt(date, (field) => faults.at(`/schedules/${at}/${field}`))),
    allDates: errors.allDates ?? faults.at('/schedules'),
    charts: errors.charts.map((chart, at) => placeInChart(draft.charts[at]?.key ?? 0, chart)),
  };
}
