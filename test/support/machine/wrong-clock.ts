/** A module to preload with `--import`: shifts the clock of the process by FOYER_TEST_CLOCK_OFF_MS. */
export const WRONG_CLOCK = `
const offMs = Number(process.env.FOYER_TEST_CLOCK_OFF_MS);
const now = Date.now;
globalThis.Date = new Proxy(Date, {
  construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [now() + offMs] : args, self),
  apply: (target) => new target(now() + offMs).toString(),
  get: (target, name) => (name === 'now' ? () => now() + offMs : Reflect.get(target, name)),
});
`;
