import type { RefusalCode } from '../kernel/refusal.js';

export const TAGS = { tags: ['Operator'] };

const COMMON_REFUSALS = ['ACCESS_DENIED', 'FORBIDDEN', 'USER_NOT_FOUND'] as const;

/** Route config: only operators may call it. `refuses` lists the refusals that other operator routes do not have. */
export const operatorOnly = (...refuses: readonly RefusalCode[]) =>
  ({ credential: 'operator', refuses: [...COMMON_REFUSALS, ...refuses] }) as const;
