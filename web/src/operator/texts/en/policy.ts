/** The rules of a waiting room's policy, with hints. */
export const policy = {
  maxActive: 'People inside at the same time',
  maxActiveHint: 'Inside means choosing seats and paying. Everyone else waits in line.',
  noLimit: 'No limit',
  batches: 'Admit people in batches',
  batchesHint:
    'Off: a free slot is filled immediately. On: at most this many people per period, for a steady load.',
  admitCount: 'People per batch',
  admitEverySeconds: 'Time between batches (seconds)',
  activeMinutes: 'Time inside (minutes)',
  activeHint: 'Anyone who has not booked by then loses the slot and can queue again.',
  idleMinutes: 'Idle limit (minutes)',
  idleHint: 'Anyone without activity for this long makes room for the next person.',
  idleOff: 'No idle limit',
  showUpMinutes: 'Time to show up (minutes)',
  showUpHint:
    'Anyone who does nothing at all after being let in, like a closed tab, loses the slot this soon.',
  showUpOff: 'Keep the slots of people who do not show up',
  consumeOn: 'A place ends with',
  consumeOnHint: 'To book more after that, people have to queue again.',
  consume: { PAYMENT: 'a payment', RESERVATION: 'a reservation' },
  holdMinutes: 'Time to pay (minutes)',
  holdHint: 'Seats are held for this long; unpaid seats become available again.',
  maxSeatsPerUser: 'Seats per person and date',
  closeWhenSoldOut: 'End the line when everything is sold',
  closeWhenSoldOutHint: 'Off: people keep waiting in case a seat is refunded.',
  startPaused: 'Start paused: let no one in until I resume',
};
