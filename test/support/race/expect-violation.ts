const TRIES_MAX = 10;

/**
 * For controls: runs a race with its check until the check finds this rule broken, or another that breaks with it. Races are
 * lost by chance, so it may take a few; any other failure means that the control itself is wrong.
 */
export async function expectViolation(
  rule: string,
  raceAndCheck: () => Promise<unknown>,
  ...orRules: readonly string[]
): Promise<void> {
  const isBroken = ({ message }: Error): boolean =>
    [rule, ...orRules].some((broken) => message.startsWith(`${broken}: `));
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    try {
      await raceAndCheck();
    } catch (error) {
      if (error instanceof Error && isBroken(error)) return;
      throw error;
    }
  }
  throw new Error(`the guard is gone, and yet "${rule}" held ${TRIES_MAX} times: the test proves nothing`);
}
