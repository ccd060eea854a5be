import { Checker, type Invariant } from './evidence.js';

export const noDeadlock: Invariant = {
  name: 'no-deadlock',
  description: 'transactions lock rows in one order, so that they wait for each other and never deadlock',
  check({ state: { deadlocks } }) {
    const checker = new Checker();
    checker.expect(deadlocks === 0, () => `the database ended ${deadlocks} deadlocks`);
    return checker;
  },
};
