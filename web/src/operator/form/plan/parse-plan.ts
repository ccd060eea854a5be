import { postOperatorConcertsLimits } from '../../../api/generated/limits.js';
import { isRecord } from '../../../is-record.js';
import type {
  Plan,
  PlanError,
  PlanErrorKind,
  PlanLocation,
  PlanRow,
  PlanSeat,
  PlanZone,
  Point,
} from './plan.js';
import { eachSeat } from './plan.js';

const LIMITS = postOperatorConcertsLimits.body.schedules.items.plan;
const ZONE_LIMITS = LIMITS.zones.items;
const ROW_LIMITS = ZONE_LIMITS.rows.items;
const SEAT_LIMITS = ROW_LIMITS.seats.items;
const COORDINATE_MAX = SEAT_LIMITS.position.x.maximum;
const ORIGIN: Point = { x: 0, y: 0 };
const ONE_LINE = /^[^\u0000-\u001f\u007f]*\S[^\u0000-\u001f\u007f]*$/;

const isPoint = (value: unknown): value is Point =>
  isRecord(value) &&
  [value['x'], value['y']].every((each) => typeof each === 'number' && Math.abs(each) <= COORDINATE_MAX);

/** Parses a plan and collects all its errors, so that a promoter can correct them in one go. */
class PlanParser {
  readonly errors: PlanError[] = [];

  #addError(at: PlanLocation, what: PlanErrorKind): void {
    this.errors.push({ at, what });
  }

  #list(
    value: unknown,
    at: PlanLocation,
    { minItems = 0, maxItems }: { readonly minItems?: number; readonly maxItems: number },
  ): readonly unknown[] {
    if (!Array.isArray(value)) {
      this.#addError(at, { kind: 'notAList' });
      return [];
    }
    if (value.length < minItems) this.#addError(at, { kind: 'emptyList' });
    if (value.length > maxItems) this.#addError(at, { kind: 'tooMany', max: maxItems });
    return value;
  }

  #record(value: unknown, at: PlanLocation): Readonly<Record<string, unknown>> {
    if (isRecord(value)) return value;
    this.#addError(at, { kind: 'notAnObject' });
    return {};
  }

  #text(value: unknown, at: PlanLocation, { maxLength }: { readonly maxLength: number }): string {
    if (typeof value === 'string' && ONE_LINE.test(value) && Array.from(value).length <= maxLength)
      return value;
    this.#addError(at, { kind: 'notText', max: maxLength });
    return '';
  }

  #point(value: unknown, at: PlanLocation): Point {
    if (isPoint(value)) return { x: value.x, y: value.y };
    this.#addError(at, { kind: 'notPoint', max: COORDINATE_MAX });
    return ORIGIN;
  }

  #categories(value: unknown): { name: string }[] {
    const seen = new Set<string>();
    return this.#list(value, { member: 'categories' }, LIMITS.categories).map((entry, index) => {
      const at = { member: `categories[${index}].name` };
      const name = this.#text(this.#record(entry, at)['name'], at, LIMITS.categories.items.name);
      if (seen.has(name)) this.#addError(at, { kind: 'sameCategory', name });
      seen.add(name);
      return { name };
    });
  }

  #seat(value: unknown, at: PlanLocation, index: number, categories: ReadonlySet<string>): PlanSeat {
    const found = this.#record(value, { ...at, seat: index });
    const named = { ...at, seat: typeof found['seat_number'] === 'string' ? found['seat_number'] : index };
    const guid = found['seat_guid'];
    const category = this.#text(found['category'], { ...named, member: 'category' }, SEAT_LIMITS.category);
    if (category !== '' && !categories.has(category))
      this.#addError(named, { kind: 'noSuchCategory', name: category });
    return {
      seat_number: this.#text(
        found['seat_number'],
        { ...named, member: 'seat_number' },
        SEAT_LIMITS.seat_number,
      ),
      ...(guid !== undefined && {
        seat_guid: this.#text(guid, { ...named, member: 'seat_guid' }, SEAT_LIMITS.seat_guid),
      }),
      position: this.#point(found['position'], { ...named, member: 'position' }),
      category,
    };
  }

  #row(value: unknown, at: PlanLocation, index: number, categories: ReadonlySet<string>): PlanRow {
    const found = this.#record(value, { ...at, row: index });
    const named = { ...at, row: typeof found['row_number'] === 'string' ? found['row_number'] : index };
    return {
      row_number: this.#text(found['row_number'], { ...named, member: 'row_number' }, ROW_LIMITS.row_number),
      position: this.#point(found['position'] ?? ORIGIN, { ...named, member: 'position' }),
      seats: this.#list(found['seats'], { ...named, member: 'seats' }, ROW_LIMITS.seats).map((seat, s) =>
        this.#seat(seat, named, s, categories),
      ),
    };
  }

  #zone(value: unknown, index: number, categories: ReadonlySet<string>): PlanZone {
    const found = this.#record(value, { zone: index });
    const named = { zone: typeof found['name'] === 'string' ? found['name'] : index };
    return {
      name: this.#text(found['name'], { ...named, member: 'name' }, ZONE_LIMITS.name),
      position: this.#point(found['position'] ?? ORIGIN, { ...named, member: 'position' }),
      rows: this.#list(found['rows'], { ...named, member: 'rows' }, ZONE_LIMITS.rows).map((row, r) =>
        this.#row(row, named, r, categories),
      ),
    };
  }

  parse(value: unknown): Plan {
    const found = this.#record(value, {});
    const categories = this.#categories(found['categories']);
    const names = new Set(categories.map(({ name }) => name));
    const zones = this.#list(found['zones'], { member: 'zones' }, LIMITS.zones).map((zone, index) =>
      this.#zone(zone, index, names),
    );
    return { categories, zones };
  }

  /** Reports seats with the same zone, row and number, the same position or the same guid. */
  findDuplicates(plan: Plan): void {
    const seen = {
      sameSeat: new Set<string>(),
      samePosition: new Set<string>(),
      sameGuid: new Set<string>(),
    };
    for (const { zone, row, seat, at } of eachSeat(plan)) {
      const place = { zone: zone.name, row: row.row_number, seat: seat.seat_number };
      const keys = {
        sameSeat: JSON.stringify(place),
        samePosition: `${at.x} ${at.y}`,
        sameGuid: seat.seat_guid,
      };
      for (const kind of ['sameSeat', 'samePosition', 'sameGuid'] as const) {
        const key = keys[kind];
        if (key !== undefined && seen[kind].has(key)) this.#addError(place, { kind });
        if (key !== undefined) seen[kind].add(key);
      }
    }
  }
}

/** Parses the content of a plan file. The plan is only usable if there are no errors. */
export function parsePlan(value: unknown): { readonly plan: Plan; readonly errors: readonly PlanError[] } {
  const parser = new PlanParser();
  const plan = parser.parse(value);
  // Duplicates among unreadable parts would only repeat the same errors.
  if (parser.errors.length === 0) parser.findDuplicates(plan);
  return { plan, errors: parser.errors };
}
