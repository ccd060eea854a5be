/** The controls of a running sale, with the consequences of each. */
export const controls = {
  title: 'Controls',
  hint: 'Every change takes effect immediately, for everyone.',
  pause: 'Pause',
  resume: 'Resume',
  pausedNow: 'Paused: no one is let in. The line keeps its order, and people inside can continue.',
  runningNow: 'Running: people are let in as there is room.',
  closedNow: 'The sale has ended. No one can join or is let in.',
  beforeNow: 'The sale has not opened yet.',
  endSale: 'End the sale',
  editTimes: 'Change the sale times',
  change: 'Change',
  moreRules: 'More rules',
  askPause: 'Pause the sale?',
  pauseConsequence: (waiting: string, active: string) =>
    `From now on no one is let in. The ${waiting} in line keep their places; the ${active} inside can finish booking.`,
  askResume: 'Resume the sale?',
  resumeConsequence: (waiting: string) =>
    `People are let in again immediately, in the order of the line (${waiting} waiting).`,
  askEnd: 'End the sale now?',
  endConsequence: (waiting: string) =>
    `From now on no one can join, is let in or can hold seats: the ${waiting} in line leave without a seat.`,
  endUnpaid: (active: string) =>
    `The ${active} inside can no longer pay. Seats that are held and not paid become available.`,
  endHeld: 'Seats that are already held can still be paid until their time runs out.',
  endUndo:
    'You can open it again under Details by setting a later end. The people who were in line have to join again.',
  notice: 'Message to people waiting',
  noticeHint: (max: number) =>
    `Shown to everyone in the waiting room at once. Plain text, at most ${max} characters. With one language only, everybody sees that one.`,
  noticeIn: { ko: 'Message in Korean', en: 'Message in English' },
  postNotice: 'Post the message',
  removeNotice: 'Remove it',
  noticePosted: 'Posted: everyone who waits sees it now.',
  noticeRemoved: 'The message has been removed.',
  askChange: 'Change these rules?',
  ruleChange: (field: string, from: string, to: string) => `${field}: ${to} instead of ${from}.`,
  takesEffect: 'This takes effect immediately.',
  cancel: 'Keep as it is',
  confirmPause: 'Pause now',
  confirmResume: 'Resume now',
  confirmEnd: 'End the sale now',
  confirmChange: 'Change now',
  done: 'Done. The change is in effect.',
  unchanged: 'You have not changed anything.',
};
