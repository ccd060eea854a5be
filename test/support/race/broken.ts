const TRIES_MAX = 10;

/**
 * For controls: runs a race with its check until the check finds this rule broken. Races are lost by chance, so it may
 * take a few; any other failure means that the control itself is wrong.
 */
export async function expectBroken(rule: string, raceAndCheck: () => Promise<void>): Promise<void> {
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    try {
      await raceAndCheck();
    } catch (error) {
      if (error instanceof Error && error.message.startsWith(`${rule}: `)) return;
      throw error;
    }
  }
  throw new Error(`the guard is gone, and yet "${rule}" held ${TRIES_MAX} times: the test proves nothing`);
}
