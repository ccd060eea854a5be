/** A draft: what to check before it is published. */
export const draft = {
  name: 'Publish',
  title: 'Before you publish',
  hint: 'This is a draft: fans do not see it. Check these points, then publish it.',
  checkAndPublish: 'Check and publish',
  about: { dates: 'Dates', prices: 'Prices', opening: 'Sale times', policy: 'Waiting room' },
  levels: { OK: 'OK', CHECK: 'check', PROBLEM: 'fix' },
  datesFine: (n: number, first: string) => (n === 1 ? first : `${n} dates, the first on ${first}`),
  someDatesBegun: (begun: number, all: number) =>
    `${begun} of ${all} dates have begun already and cannot be booked.`,
  allDatesBegun:
    'Every date has begun already. Dates cannot be changed: duplicate the concert and move its dates.',
  freeSections: (names: string) => `These sections cost nothing: ${names}`,
  onePrice: (price: string) => `Every seat costs ${price}.`,
  prices: (low: string, high: string) => `From ${low} to ${high}`,
  opensLater: (at: string) => `Opens ${at}`,
  opensAtOnce: 'The sale opens as soon as you publish.',
  opensTooLate: 'The sale would open after it has ended.',
  hasEnded: 'The sale would have ended already.',
  changeTimes: 'Change the sale times',
  noMax: 'No limit inside',
  max: (n: string) => `Up to ${n} people inside`,
  policyFine: (max: string, inside: string, pay: string, seats: number) =>
    `${max}, ${inside} each · ${pay} to pay · ${seats === 1 ? '1 seat' : `up to ${seats} seats`} per person and date`,
  startsPaused: 'The sale starts paused: no one is let in until you resume it.',
  admitsNobody: 'No one is let in: the number of people inside is 0.',
  noLimit: 'There is no limit: everyone is let in at the same time.',
  tooShortToPay: 'The time to pay is longer than the time inside.',
  mendFirst: (n: number) =>
    n === 1 ? 'Fix the marked item, then publish.' : `Fix the ${n} marked items, then publish.`,
  ask: (title: string) => `Publish “${title}”?`,
  consequence: 'Everyone can see the concert immediately. It cannot become a draft again.',
  keep: 'Keep as a draft',
  confirm: 'Publish now',
};
