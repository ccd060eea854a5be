import { isProblem } from '../../api/index.js';
import { isRecord } from '../../is-record.js';

/** What the server refuses in a request body. */
export interface ServerFault {
  /** A JSON pointer into the body. */
  readonly path: string;
  readonly rule: string;
}

const isFault = (value: unknown): value is ServerFault =>
  isRecord(value) && typeof value['path'] === 'string' && typeof value['rule'] === 'string';

/** The faults that a refusal lists. */
function faultsIn(error: unknown): readonly ServerFault[] {
  if (!isProblem(error, 'INVALID_REQUEST')) return [];
  const { faults } = error.details;
  return Array.isArray(faults) ? faults.filter(isFault) : [];
}

/** Finds the fields of refused members. Whatever no field asks for is left over, and shown at the end of the form. */
export class FaultPlacer {
  readonly #faults: readonly ServerFault[];
  readonly #placed = new Set<ServerFault>();
  readonly #say: (rule: string) => string;

  constructor(error: unknown, say: (rule: string) => string) {
    this.#faults = faultsIn(error);
    this.#say = say;
  }

  /** The text for the field of this member. */
  at(path: string): string | undefined {
    return this.#take((fault) => fault.path === path);
  }

  /** The text for a member or for anything in it that no field has asked for. */
  within(path: string): string | undefined {
    return this.#take(
      (fault) => !this.#placed.has(fault) && (fault.path === path || fault.path.startsWith(`${path}/`)),
    );
  }

  get leftOver(): readonly ServerFault[] {
    return this.#faults.filter((fault) => !this.#placed.has(fault));
  }

  #take(isMeant: (fault: ServerFault) => boolean): string | undefined {
    const meant = this.#faults.filter(isMeant);
    for (const fault of meant) this.#placed.add(fault);
    const [first] = meant;
    return first && this.#say(first.rule);
  }
}
