import type { OperatorConcertDetails } from '../operator-api.js';

/** OK: nothing to do. CHECK: may be wanted, but is often a mistake. PROBLEM: must be mended before publishing. */
export type Level = 'OK' | 'CHECK' | 'PROBLEM';

export type Finding =
  | { readonly about: 'dates'; readonly level: Level; readonly begun: number; readonly all: number }
  | { readonly about: 'prices'; readonly level: Level; readonly free: readonly string[] }
  | {
      readonly about: 'opening';
      readonly level: Level;
      readonly says: 'OPENS_LATER' | 'OPENS_AT_ONCE' | 'OPENS_TOO_LATE' | 'HAS_ENDED';
    }
  | {
      readonly about: 'policy';
      readonly level: Level;
      readonly says: 'FINE' | 'PAUSED' | 'ADMITS_NOBODY' | 'NO_LIMIT' | 'TOO_SHORT_TO_PAY';
    };

/** The parts of a concert that are checked. */
export type Checked = Pick<OperatorConcertDetails, 'salesOpenAt' | 'salesCloseAt' | 'waitingRoom'> & {
  readonly schedules: readonly {
    readonly startsAt: string;
    readonly sections: readonly { readonly name: string; readonly price: number }[];
  }[];
};

/** What a promoter should look at before fans see the concert, always in the same order. */
export const checkDraft = (concert: Checked, nowMs: number): readonly Finding[] => [
  checkDates(concert, nowMs),
  checkPrices(concert),
  checkOpening(concert, nowMs),
  checkPolicy(concert),
];

function checkDates({ schedules }: Checked, nowMs: number): Finding {
  const all = schedules.length;
  const begun = schedules.filter(({ startsAt }) => Date.parse(startsAt) <= nowMs).length;
  return { about: 'dates', begun, all, level: begun === 0 ? 'OK' : begun < all ? 'CHECK' : 'PROBLEM' };
}

function checkPrices({ schedules }: Checked): Finding {
  const sections = schedules.flatMap((date) => date.sections);
  const free = [...new Set(sections.filter(({ price }) => price === 0).map(({ name }) => name))];
  return { about: 'prices', free, level: free.length === 0 ? 'OK' : 'CHECK' };
}

function checkOpening(concert: Checked, nowMs: number): Finding {
  const { salesOpenAt, salesCloseAt, schedules } = concert;
  const starts = schedules.map(({ startsAt }) => Date.parse(startsAt));
  const opensMs = salesOpenAt === null ? nowMs : Date.parse(salesOpenAt);
  const closesMs = Math.min(salesCloseAt === null ? Infinity : Date.parse(salesCloseAt), Math.max(...starts));
  if (closesMs <= nowMs) return { about: 'opening', level: 'PROBLEM', says: 'HAS_ENDED' };
  if (opensMs >= closesMs) return { about: 'opening', level: 'PROBLEM', says: 'OPENS_TOO_LATE' };
  return opensMs > nowMs
    ? { about: 'opening', level: 'OK', says: 'OPENS_LATER' }
    : { about: 'opening', level: 'CHECK', says: 'OPENS_AT_ONCE' };
}

function checkPolicy({ waitingRoom }: Checked): Finding {
  const { paused, maxActive, admitCount, holdSeconds, activeSeconds } = waitingRoom;
  if (paused) return { about: 'policy', level: 'CHECK', says: 'PAUSED' };
  if (maxActive === 0) return { about: 'policy', level: 'CHECK', says: 'ADMITS_NOBODY' };
  if (maxActive === null && admitCount === null) return { about: 'policy', level: 'CHECK', says: 'NO_LIMIT' };
  return holdSeconds > activeSeconds
    ? { about: 'policy', level: 'CHECK', says: 'TOO_SHORT_TO_PAY' }
    : { about: 'policy', level: 'OK', says: 'FINE' };
}
