// Generated from openapi.json by `npm run web:types`. Do not edit.

export const postUsersLimits = {
  body: {
    email: { maxLength: 254 },
    password: { minLength: 8, maxLength: 128 },
    name: { minLength: 1, maxLength: 100 },
  },
} as const;

export const postSessionsLimits = {
  body: {
    email: { maxLength: 254 },
    password: { maxLength: 128 },
  },
} as const;

export const deleteUsersMeLimits = {
  body: {
    password: { maxLength: 128 },
  },
} as const;

export const postUsersMePasswordLimits = {
  body: {
    currentPassword: { maxLength: 128 },
    newPassword: { minLength: 8, maxLength: 128 },
  },
} as const;

export const postPasswordResetsLimits = {
  body: {
    email: { maxLength: 254 },
  },
} as const;

export const postPasswordResetsByTokenLimits = {
  body: {
    newPassword: { minLength: 8, maxLength: 128 },
  },
} as const;

export const getOperatorOperatorsLimits = {
  query: {
    cursor: { minLength: 1, maxLength: 200 },
  },
} as const;

export const postOperatorOperatorsLimits = {
  body: {
    email: { maxLength: 254 },
    name: { minLength: 1, maxLength: 100 },
  },
} as const;

export const getConcertsLimits = {
  query: {
    cursor: { minLength: 1, maxLength: 200 },
  },
} as const;

export const getConcertsByIdSchedulesLimits = {
  query: {
    cursor: { minLength: 1, maxLength: 200 },
  },
} as const;

export const getSchedulesByIdSeatsLimits = {
  query: {
    cursor: { minLength: 1, maxLength: 200 },
  },
} as const;

export const postWalletChargesLimits = {
  body: {
    amount: { minimum: -9007199254740991, maximum: 9007199254740991 },
  },
} as const;

export const getWalletEntriesLimits = {
  query: {
    cursor: { minLength: 1, maxLength: 200 },
  },
} as const;

export const postReservationsLimits = {
  body: {
    scheduleId: { minLength: 1, maxLength: 64 },
    seatIds: {
      minItems: 1,
      maxItems: 100,
      items: { minLength: 1, maxLength: 64 },
    },
  },
} as const;

export const getReservationsLimits = {
  query: {
    cursor: { minLength: 1, maxLength: 200 },
  },
} as const;

export const postReservationsBestLimits = {
  body: {
    scheduleId: { minLength: 1, maxLength: 64 },
    count: { minimum: 1, maximum: 100 },
    grade: { minLength: 1, maxLength: 50 },
  },
} as const;

export const postPaymentsLimits = {
  body: {
    reservationId: { minLength: 1, maxLength: 64 },
  },
} as const;

export const getPaymentsLimits = {
  query: {
    cursor: { minLength: 1, maxLength: 200 },
  },
} as const;

export const postOperatorConcertsLimits = {
  body: {
    title: { minLength: 1, maxLength: 200 },
    venue: { minLength: 1, maxLength: 200 },
    description: { maxLength: 10000 },
    timeZone: { maxLength: 64 },
    runningMinutes: { minimum: 1, maximum: 1440 },
    minAge: { minimum: 0, maximum: 99 },
    refundRules: {
      maxItems: 10,
      items: {
        daysBefore: { minimum: 0, maximum: 365 },
        feePercent: { minimum: 0, maximum: 100 },
      },
    },
    waitingRoom: {
      maxActive: { minimum: 0, maximum: 10000000 },
      admitCount: { minimum: 1, maximum: 1000000 },
      admitEverySeconds: { minimum: 1, maximum: 3600 },
      activeSeconds: { minimum: 1, maximum: 86400 },
      idleSeconds: { minimum: 1, maximum: 86400 },
      showUpSeconds: { minimum: 1, maximum: 86400 },
      holdSeconds: { minimum: 1, maximum: 86400 },
      maxSeatsPerUser: { minimum: 1, maximum: 100 },
      notice: {
        minLength: 1,
        maxLength: 300,
        ko: { minLength: 1, maxLength: 300 },
        en: { minLength: 1, maxLength: 300 },
      },
    },
    schedules: {
      minItems: 1,
      maxItems: 100,
      items: {
        sections: {
          minItems: 1,
          maxItems: 500,
          items: {
            name: { minLength: 1, maxLength: 50 },
            rows: { minimum: 1, maximum: 500 },
            seatsPerRow: { minimum: 1, maximum: 500 },
            grade: { minLength: 1, maxLength: 50 },
            price: { minimum: 0, maximum: 1000000000 },
          },
        },
        plan: {
          categories: {
            minItems: 1,
            maxItems: 100,
            items: {
              name: { minLength: 1, maxLength: 50 },
            },
          },
          zones: {
            minItems: 1,
            maxItems: 500,
            items: {
              name: { minLength: 1, maxLength: 50 },
              position: {
                x: { minimum: -1000000, maximum: 1000000 },
                y: { minimum: -1000000, maximum: 1000000 },
              },
              rows: {
                maxItems: 2000,
                items: {
                  row_number: { minLength: 1, maxLength: 20 },
                  position: {
                    x: { minimum: -1000000, maximum: 1000000 },
                    y: { minimum: -1000000, maximum: 1000000 },
                  },
                  seats: {
                    maxItems: 2000,
                    items: {
                      seat_number: { minLength: 1, maxLength: 20 },
                      seat_guid: { minLength: 1, maxLength: 200 },
                      position: {
                        x: { minimum: -1000000, maximum: 1000000 },
                        y: { minimum: -1000000, maximum: 1000000 },
                      },
                      category: { minLength: 1, maxLength: 50 },
                    },
                  },
                },
              },
            },
          },
        },
        prices: {
          values: { minimum: 0, maximum: 1000000000 },
        },
      },
    },
  },
} as const;

export const getOperatorConcertsLimits = {
  query: {
    cursor: { minLength: 1, maxLength: 200 },
  },
} as const;

export const patchOperatorConcertsByIdLimits = {
  body: {
    title: { minLength: 1, maxLength: 200 },
    venue: { minLength: 1, maxLength: 200 },
    description: { maxLength: 10000 },
    timeZone: { maxLength: 64 },
    runningMinutes: { minimum: 1, maximum: 1440 },
    minAge: { minimum: 0, maximum: 99 },
    refundRules: {
      maxItems: 10,
      items: {
        daysBefore: { minimum: 0, maximum: 365 },
        feePercent: { minimum: 0, maximum: 100 },
      },
    },
  },
} as const;

export const patchOperatorConcertsByIdWaitingRoomLimits = {
  body: {
    maxActive: { minimum: 0, maximum: 10000000 },
    admitCount: { minimum: 1, maximum: 1000000 },
    admitEverySeconds: { minimum: 1, maximum: 3600 },
    activeSeconds: { minimum: 1, maximum: 86400 },
    idleSeconds: { minimum: 1, maximum: 86400 },
    showUpSeconds: { minimum: 1, maximum: 86400 },
    holdSeconds: { minimum: 1, maximum: 86400 },
    maxSeatsPerUser: { minimum: 1, maximum: 100 },
    notice: {
      minLength: 1,
      maxLength: 300,
      ko: { minLength: 1, maxLength: 300 },
      en: { minLength: 1, maxLength: 300 },
    },
  },
} as const;

export const postOperatorConcertsByIdDuplicateLimits = {
  body: {
    title: { minLength: 1, maxLength: 200 },
    shiftDays: { minimum: -3650, maximum: 3650 },
  },
} as const;

export const getOperatorConcertsByIdAuditLimits = {
  query: {
    cursor: { minLength: 1, maxLength: 200 },
  },
} as const;

export const getOperatorAuditLimits = {
  query: {
    cursor: { minLength: 1, maxLength: 200 },
  },
} as const;

export const getOperatorConcertsByIdReservationsLimits = {
  query: {
    cursor: { minLength: 1, maxLength: 200 },
    q: { minLength: 1, maxLength: 100 },
    scheduleId: { minLength: 1, maxLength: 64 },
  },
} as const;

export const getOperatorConcertsByIdPaymentsLimits = {
  query: {
    cursor: { minLength: 1, maxLength: 200 },
    q: { minLength: 1, maxLength: 100 },
    scheduleId: { minLength: 1, maxLength: 64 },
  },
} as const;

export const getOperatorMailboxLimits = {
  query: {
    cursor: { minLength: 1, maxLength: 200 },
  },
} as const;
