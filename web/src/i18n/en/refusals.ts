/** What each refusal code means to a fan, and what to do next. */
export const refusals = {
  ACCESS_DENIED: 'You are not let in here at the moment. Go back to the concert and join the waiting room.',
  ALREADY_RESERVED_SEAT:
    'Somebody was faster: a seat you chose has just been taken. Choose others; the map is up to date.',
  BALANCE_LIMIT_EXCEEDED: 'A wallet cannot hold that much. Top up a smaller amount.',
  CONCERT_NOT_FOUND: 'This concert does not exist any more. Choose another one from the list.',
  EMAIL_TAKEN: 'There is an account with this e-mail address already. Sign in instead.',
  FORBIDDEN: 'Only a promoter may do this. Sign in with a promoter’s account.',
  IDEMPOTENCY_KEY_IN_FLIGHT:
    'Your earlier request is still being worked on. Wait a moment and try again; nothing happens twice.',
  IDEMPOTENCY_KEY_REUSED: 'This request got mixed up with an earlier one. Load the page again and repeat it.',
  INTERNAL_ERROR: 'Something went wrong on our side. Try again in a moment.',
  INVALID_AMOUNT: 'The amount must be at least 1. Write a larger amount.',
  INVALID_REQUEST: 'Something you entered is not accepted. Check it and try again.',
  METHOD_NOT_ALLOWED: 'This page is out of date. Load it again.',
  NO_SEATS_TOGETHER:
    'There are not that many free seats side by side. Ask for fewer, another grade, or choose by hand.',
  NOT_ENOUGH_BALANCE: 'Your balance is too low. Top up below and pay; your seats stay yours meanwhile.',
  NOT_FOUND: 'This does not exist any more. Go back and choose again.',
  PAYLOAD_TOO_LARGE: 'That is too much at once. Send less.',
  PAYMENT_NOT_FOUND: 'There is no such receipt in your account. Look under “My tickets”.',
  REQUEST_TIMEOUT: 'The request took too long to arrive. Check your connection and try again.',
  RESERVATION_EXPIRED:
    'The time to pay has run out, and the seats are free again. Nothing was charged. Choose seats again.',
  RESERVATION_NOT_FOUND: 'There is no such reservation in your account. Look under “My tickets”.',
  RESERVATION_NOT_HELD:
    'This reservation can no longer be changed. Look under “My tickets” for how it ended.',
  SALES_CLOSED: 'The sale of this concert has ended. Look for another concert.',
  SALES_NOT_OPEN: 'The sale has not begun yet. Come back when it opens; joining early gives no better place.',
  SCHEDULE_CLOSED: 'This date can no longer be booked. Choose another date.',
  SCHEDULE_NOT_FOUND: 'This date does not exist any more. Choose another date.',
  SEAT_LIMIT_EXCEEDED:
    'That is more seats for this date than one person may have. Choose fewer, or release what you hold.',
  SEAT_NOT_FOUND: 'A seat you chose does not exist on this date. Load the page again and choose once more.',
  TOO_MANY_REQUESTS: 'That was too often in a short time. Wait a moment, then try again.',
  TOO_MANY_STREAMS:
    'Live updates are full at the moment. The page asks for news by itself; you need do nothing.',
  UNAVAILABLE:
    'The server cannot answer at the moment. Your place and your seats are kept. Try again shortly.',
  UNSUPPORTED_MEDIA_TYPE: 'This page is out of date. Load it again.',
  USER_NOT_FOUND: 'Your account does not exist any more. Sign up again.',
  WRONG_CREDENTIALS: 'The e-mail address or the password is wrong. Check both and try again.',
};

/** Why a booking call was denied, by `reason`. */
export const denials = {
  MISSING: 'Sign in first; then you go on here.',
  INVALID: 'Your session has ended. Sign in again.',
  NOT_ACTIVE: 'It is not your turn yet. Wait in the waiting room; you are let in by yourself.',
  EXPIRED: 'Your time inside has run out. Join the waiting room again.',
  USED: 'Your booking is done, and your place with it. Join the waiting room again to book more.',
  LEFT: 'You left the waiting room. Join it again for a new place.',
  WRONG_CONCERT: 'Your place is for another concert. Join the waiting room of this one.',
};

export const network = {
  offline: 'There is no connection. Check your network; your place and your seats are kept.',
  timeout: 'The server did not answer in time. Try again; nothing happens twice.',
  unknown: 'Something unexpected went wrong. Load the page again.',
  retryIn: (seconds: number) => `Try again in ${seconds} s.`,
  reference: (id: string) => `Reference: ${id}`,
};
