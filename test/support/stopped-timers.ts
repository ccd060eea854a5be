import { afterAll, beforeAll, vi } from 'vitest';

/** Timers never fire, so a slow machine cannot make a poll give up waiting for an admission. Immediates still run. */
export function useStoppedTimers(): void {
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterAll(() => {
    vi.useRealTimers();
  });
}
