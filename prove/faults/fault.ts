import type { Deployment, Mode } from '../deployment/deployment.js';
import type { Random } from '../random.js';

/** One kind of failure that can be injected into a deployment and always ends by itself. */
export interface Fault {
  readonly name: string;
  readonly description: string;
  readonly modes: readonly Mode[];
  /** Why this machine cannot inject it; undefined when it can. */
  unavailableReason?(deployment: Deployment): string | undefined;
  /** Injects the fault and resolves once it has ended, with the details for the log. */
  inject(deployment: Deployment, random: Random): Promise<string>;
}

export const BOTH_MODES: readonly Mode[] = ['embedded', 'cluster'];
