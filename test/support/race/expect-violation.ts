const ATTEMPTS_MAX = 10;

/**
 * For controls: repeats a race until its check reports that `rule`, or one of `orRules`, is violated. A race does not
 * show its error every time, so it gets several attempts. Any other failure means that the control itself is wrong.
 */
export async function expectViolation(
  rule: string,
  raceAndCheck: () => Promise<unknown>,
  ...orRules: readonly string[]
): Promise<void> {
  const isViolation = ({ message }: Error): boolean =>
    [rule, ...orRules].some((violated) => message.startsWith(`${violated}: `));
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    try {
      await raceAndCheck();
    } catch (error) {
      if (error instanceof Error && isViolation(error)) return;
      throw error;
    }
  }
  throw new Error(
    `"${rule}" still held in ${ATTEMPTS_MAX} races although its guard was removed: the test proves nothing`,
  );
}
