/** What each refusal code means to a fan, and what to do next. */
export const refusals = {
  ACCESS_DENIED: 'You do not have access at the moment. Go back to the concert and join the waiting room.',
  ALREADY_OPERATOR: 'This person is an operator already.',
  ALREADY_RESERVED_SEAT:
    'Someone else has just taken a seat you chose. Choose another one; the map is up to date.',
  BALANCE_NOT_ZERO: 'Your wallet has a balance. Spend it first, or give it up.',
  OPERATOR_NOT_ERASABLE: 'The account of an operator cannot be deleted.',
  BALANCE_LIMIT_EXCEEDED: 'This is more than a wallet may hold. Top up a smaller amount.',
  CANNOT_REMOVE_YOURSELF: 'You cannot remove yourself. Ask another operator.',
  CONCERT_NOT_FOUND: 'This concert no longer exists. Choose another one from the list.',
  EMAIL_TAKEN: 'An account with this e-mail address already exists. Sign in instead.',
  FORBIDDEN: 'Only a promoter may do this. Sign in with a promoter’s account.',
  IDEMPOTENCY_KEY_IN_FLIGHT:
    'Your previous request is still being processed. Wait a moment and try again; nothing happens twice.',
  IDEMPOTENCY_KEY_REUSED: 'This request was mixed up with an earlier one. Reload the page and repeat it.',
  IMAGE_DIMENSIONS_INVALID: 'This picture is too small or too large. Each side needs 200 to 4,096 pixels.',
  IMAGE_TOO_LARGE: 'This picture has more than 2 MB. Save it smaller and choose it again.',
  IMAGE_TYPE_UNSUPPORTED: 'This is not a PNG, JPEG or WebP picture. Choose another file.',
  INTERNAL_ERROR: 'Something went wrong on our side. Try again in a moment.',
  INVALID_AMOUNT: 'The amount must be at least 1. Enter a larger amount.',
  INVALID_REQUEST: 'Something you entered is not accepted. Check it and try again.',
  METHOD_NOT_ALLOWED: 'This page is out of date. Reload it.',
  NO_SEATS_TOGETHER:
    'There are not that many available seats side by side. Choose fewer seats or another grade, or pick seats on the map.',
  NOT_ENOUGH_BALANCE: 'Your balance is too low. Top up below and pay; your seats stay yours meanwhile.',
  NOT_FOUND: 'This no longer exists. Go back and choose again.',
  OPERATOR_NOT_FOUND: 'This person is not an operator any more. Reload the page.',
  PAYLOAD_TOO_LARGE: 'The request is too large. Send less.',
  PAYMENT_NOT_FOUND: 'There is no such receipt in your account. Look under “My tickets”.',
  REQUEST_TIMEOUT: 'The request took too long to arrive. Check your connection and try again.',
  RESERVATION_EXPIRED:
    'The time to pay has run out, and the seats are available to others again. Nothing was charged. Choose seats again.',
  RESERVATION_NOT_FOUND: 'There is no such reservation in your account. Look under “My tickets”.',
  RESERVATION_NOT_HELD:
    'This reservation can no longer be changed. Look under “My tickets” for how it ended.',
  RESET_TOKEN_INVALID: 'This link has been used or has expired. Ask for a new one.',
  SALES_CLOSED: 'The sale of this concert has ended. Look for another concert.',
  SALES_NOT_OPEN: 'The sale has not begun yet. Come back when it opens; joining early gives no better place.',
  SCHEDULE_CLOSED: 'This date can no longer be booked. Choose another date.',
  SCHEDULE_NOT_FOUND: 'This date no longer exists. Choose another date.',
  SEAT_LIMIT_EXCEEDED:
    'That is more seats for this date than one person may have. Choose fewer, or release seats that you hold.',
  SEAT_NOT_FOUND: 'A seat you chose does not exist on this date. Reload the page and choose again.',
  SOLD_OUT: 'Every seat is sold. If a ticket is returned, you can join again; or look for another concert.',
  TOO_MANY_REQUESTS: 'Too many attempts in a short time. Wait a moment, then try again.',
  TOO_MANY_STREAMS:
    'Live updates are at capacity. The page checks for updates automatically; you do not need to do anything.',
  UNAVAILABLE:
    'The server cannot answer at the moment. Your place and your seats are kept. Try again shortly.',
  UNSUPPORTED_MEDIA_TYPE: 'This page is out of date. Reload it.',
  USER_NOT_FOUND: 'Your account no longer exists. Sign up again.',
  VERIFICATION_TOKEN_INVALID: 'This link has expired. Sign in and ask for a new one under “My tickets”.',
  WRONG_CREDENTIALS: 'The e-mail address or the password is wrong. Check both and try again.',
};

/** Why a booking call was denied, by `reason`. */
export const denials = {
  MISSING: 'Sign in first; then you can continue here.',
  INVALID: 'Your session has ended. Sign in again.',
  NOT_ACTIVE: 'It is not your turn yet. Wait in the waiting room; you are let in automatically.',
  EXPIRED: 'Your time to book has run out. Join the waiting room again.',
  USED: 'Your booking is complete, so your place has ended. Join the waiting room again to book more.',
  LEFT: 'You left the waiting room. Join it again for a new place.',
  CLOSED: 'The sale ended while you were waiting, and your place has ended with it.',
  WRONG_CONCERT: 'Your place is for another concert. Join the waiting room of this one.',
};

export const network = {
  offline: 'There is no connection. Check your network; your place and your seats are kept.',
  timeout: 'The server did not answer in time. Try again; nothing happens twice.',
  unknown: 'Something unexpected went wrong. Reload the page.',
  retryIn: (seconds: number) => `Try again in ${seconds} s.`,
  reference: (id: string) => `Reference: ${id}`,
};
