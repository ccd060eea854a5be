import type { Random } from '../random.js';
import type { Mode, World } from '../world/world.js';

/** Something that goes wrong, and is mended again. */
export interface Fault {
  readonly name: string;
  readonly says: string;
  readonly modes: readonly Mode[];
  /** Undefined, or why this machine cannot have it. */
  missing?(world: World): string | undefined;
  /** Breaks it, and resolves when it is whole again. Answers what was done, for the log. */
  strike(world: World, random: Random): Promise<string>;
}

export const BOTH: readonly Mode[] = ['embedded', 'cluster'];
