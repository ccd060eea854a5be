/** The bar that follows a fan on every page. */
export const placeBar = {
  held: (n: number, seats: string) => `${n === 1 ? '1 seat' : `${n} seats`}: ${seats}`,
  heldForYou: 'Held for you',
  pay: 'Pay',
  release: 'Release',
  yourTurn: 'It is your turn',
  timeToBook: 'Time to book',
  choose: 'Choose seats',
  toWaitingRoom: 'Waiting room',
  ended: 'Your place has ended',
  details: 'Why?',
};
