import type { Sizes } from '../sizes.js';
import { admissionCase } from './admission.js';
import { bookingCase } from './booking.js';
import type { BenchmarkCase } from './case.js';
import { growthCase } from './growth.js';
import { holdCase, oneSeatCase } from './hold.js';
import { herdCase, joinCase } from './join.js';
import { chargeCase, payCase } from './money.js';
import { paceCase } from './pace.js';
import { pollCase } from './poll.js';
import { pollUnderAdmissionCase } from './poll-under-admission.js';
import { datesCase, seatsCases, seatsInRushCase, stateCase } from './reads.js';
import { restartCase } from './restart.js';
import { signInCase } from './sign-in.js';
import { streamsCase } from './streams.js';

/** Every case, in the order in which a round runs them. */
export const createCases = (sizes: Sizes): BenchmarkCase[] => [
  pollCase(sizes.queueLengths),
  joinCase,
  herdCase,
  datesCase,
  ...seatsCases,
  seatsInRushCase,
  stateCase,
  holdCase,
  oneSeatCase(sizes.contenders),
  chargeCase,
  payCase,
  bookingCase,
  paceCase,
  admissionCase(sizes.admitted, sizes.queueLengths[2]),
  pollUnderAdmissionCase(sizes.turnover, sizes.queueLengths[2]),
  signInCase,
  restartCase(sizes.queueLengths[2]),
  streamsCase(sizes.streams),
  growthCase(sizes.growthSteps),
];
