import type { CaseGroup } from '../bench.js';
import type { Sizes } from '../sizes.js';
import { bookingCase } from './booking.js';
import { growthCase } from './growth.js';
import { holdCase, oneSeatCase } from './hold.js';
import { herdCase, joinCase } from './join.js';
import { admissionCase, restartCase } from './line.js';
import { chargeCase, payCase } from './money.js';
import { paceCases } from './pace.js';
import { pollCases } from './poll.js';
import { datesCase, seatsCases, stateCase } from './reads.js';
import { streamsCase } from './streams.js';

/** Every case, in the order of a round. */
export const casesOf = (sizes: Sizes): CaseGroup[] => [
  pollCases(sizes.lines),
  joinCase,
  herdCase,
  datesCase,
  ...seatsCases,
  stateCase,
  holdCase,
  oneSeatCase(sizes.rivals),
  chargeCase,
  payCase,
  bookingCase,
  paceCases,
  admissionCase(sizes.admitted, sizes.lines[2]),
  restartCase(sizes.lines[2]),
  streamsCase(sizes.streams),
  growthCase(sizes.growth),
];
