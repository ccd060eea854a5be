import type { Deployment, Mode } from '../deployment/deployment.js';
import type { Random } from '../random.js';

/**
 * `network`: requests and responses are late or lost, the processes work normally. `stall`: a process or its database does
 * not work for a while. `restart`: a process loses its memory.
 */
export type FaultEffect = 'network' | 'stall' | 'restart';

/** One kind of failure that can be injected into a deployment and always ends by itself. */
export interface Fault {
  readonly name: string;
  readonly description: string;
  readonly modes: readonly Mode[];
  readonly effect: FaultEffect;
  /** Why this machine cannot inject it; undefined when it can. */
  unavailableReason?(deployment: Deployment): string | undefined;
  /** Injects the fault and resolves once it has ended, with the details for the log. */
  inject(deployment: Deployment, random: Random): Promise<string>;
}

export const BOTH_MODES: readonly Mode[] = ['embedded', 'cluster'];
