// Generated from openapi.json by `npm run web:types`. Do not edit.

/** Every JSON call of the API by method and path; paths are relative to `/api/v1`. */
export interface Operations {
  get: {
    /** Who am I */
    '/users/me': {
      query: undefined;
      body: undefined;
      response: {
        id: string;
        email: string;
        name: string;
        role: 'CUSTOMER' | 'OPERATOR';
        emailVerified: boolean;
      };
    };
    /** All operators and those who are invited, newest account first */
    '/operator/operators': {
      query: {
        /** 1 to 200 */
        limit?: string;
        cursor?: string;
      };
      body: undefined;
      response: {
        items: {
          id: string;
          email: string;
          name: string;
          status: 'ACTIVE' | 'INVITED';
          /** ISO 8601 in UTC */
          createdAt: string;
        }[];
        nextCursor: string | null;
      };
    };
    /** Concerts, newest first */
    '/concerts': {
      query: {
        /** 1 to 200 */
        limit?: string;
        cursor?: string;
      };
      body: undefined;
      response: {
        items: {
          id: string;
          title: string;
          venue: string;
          description: string;
          currency: string;
          /** ISO 8601 in UTC */
          salesOpenAt: string | null;
          /** ISO 8601 in UTC */
          salesCloseAt: string | null;
          /** IANA time zone of the venue */
          timeZone: string;
          runningMinutes: number | null;
          minAge: number | null;
          /** The earliest first; later refunds cost at least as much */
          refundRules: {
            /** Applies until so many days before the date; 0: on the day */
            daysBefore: number;
            /** Of the price; 100: no refund */
            feePercent: number;
          }[];
          poster: {
            /** On this server; the content at a path never changes */
            path: string;
            width: number;
            height: number;
          } | null;
          /** ISO 8601 in UTC */
          firstStartsAt: string;
          /** ISO 8601 in UTC */
          lastStartsAt: string;
          priceFrom: number;
          soldOut: boolean;
        }[];
        nextCursor: string | null;
      };
    };
    /** One concert */
    '/concerts/{id}': {
      query: undefined;
      body: undefined;
      response: {
        id: string;
        title: string;
        venue: string;
        description: string;
        currency: string;
        /** ISO 8601 in UTC */
        salesOpenAt: string | null;
        /** ISO 8601 in UTC */
        salesCloseAt: string | null;
        /** IANA time zone of the venue */
        timeZone: string;
        runningMinutes: number | null;
        minAge: number | null;
        /** The earliest first; later refunds cost at least as much */
        refundRules: {
          /** Applies until so many days before the date; 0: on the day */
          daysBefore: number;
          /** Of the price; 100: no refund */
          feePercent: number;
        }[];
        poster: {
          /** On this server; the content at a path never changes */
          path: string;
          width: number;
          height: number;
        } | null;
        /** ISO 8601 in UTC */
        firstStartsAt: string;
        /** ISO 8601 in UTC */
        lastStartsAt: string;
        priceFrom: number;
        soldOut: boolean;
      };
    };
    /** Dates, prices by grade and the state of the sale, for everybody */
    '/concerts/{id}/overview': {
      query: undefined;
      body: undefined;
      response: {
        concertId: string;
        saleState: 'BEFORE' | 'OPEN' | 'CLOSED';
        soldOut: boolean;
        dates: {
          id: string;
          /** ISO 8601 in UTC */
          startsAt: string;
          seatsTotal: number;
          soldOut: boolean;
        }[];
        grades: {
          grade: string;
          price: number;
        }[];
        maxSeatsPerUser: number;
        /** The promoter's message to waiting fans: one text, or one for each language */
        notice: string | null | {
          ko?: string;
          en?: string;
        };
        /** ISO 8601 in UTC */
        serverTime: string;
      };
    };
    /** Dates that can be booked; `all=true` adds sold-out and past ones */
    '/concerts/{id}/schedules': {
      query: {
        /** 1 to 200 */
        limit?: string;
        cursor?: string;
        all?: 'true' | 'false';
      };
      body: undefined;
      response: {
        items: {
          id: string;
          concertId: string;
          /** ISO 8601 in UTC */
          startsAt: string;
          seatsTotal: number;
          seatsRemaining: number;
          soldOut: boolean;
          /** Highest price first */
          grades: {
            grade: string;
            price: number;
            seatsTotal: number;
            seatsRemaining: number;
          }[];
        }[];
        nextCursor: string | null;
      };
    };
    /** Every seat of a date and its state; without `limit`, pages of 2000 seats */
    '/schedules/{id}/seats': {
      query: {
        /** 1 to 200 */
        limit?: string;
        cursor?: string;
        status?: 'AVAILABLE' | 'HELD' | 'SOLD';
      };
      body: undefined;
      response: {
        items: {
          id: string;
          section: string;
          row: string;
          number: number;
          label: string;
          grade: string;
          price: number;
          status: 'AVAILABLE' | 'HELD' | 'SOLD';
        }[];
        nextCursor: string | null;
      };
    };
    /** What never changes of a date: where every seat is, and what it costs */
    '/schedules/{id}/chart': {
      query: undefined;
      body: undefined;
      response: {
        scheduleId: string;
        currency: string;
        size: {
          width: number;
          height: number;
        };
        stage: {
          x: number;
          y: number;
          width: number;
          height: number;
        };
        /** One for every price of a grade, the dearest first */
        grades: {
          grade: string;
          price: number;
        }[];
        sections: {
          name: string;
          x: number;
          y: number;
          width: number;
          height: number;
        }[];
        rows: {
          section: number;
          name: string;
        }[];
        /** One list a member, all in chart order; `row` and `grade` are places in the lists above */
        seats: {
          id: string[];
          row: number[];
          number: string[];
          label: string[];
          grade: number[];
          x: number[];
          y: number[];
        };
      };
    };
    /** What does change of a date: the state of every seat, in 2 bits each */
    '/schedules/{id}/state': {
      query: undefined;
      body: undefined;
      response: {
        scheduleId: string;
        /** Another one whenever something has changed */
        version: number;
        /** Base64 of 2 bits a seat in chart order, 4 seats to a byte, the first in the lowest bits: 0 AVAILABLE, 1 HELD, 2 SOLD */
        seats: string;
      };
    };
    /** How your place stands */
    '/queue-tokens/me': {
      query: undefined;
      body: undefined;
      response: {
        token: string;
        concertId: string;
        status: 'WAITING' | 'ACTIVE' | 'DONE' | 'EXPIRED' | 'CLOSED';
        rank: number;
        ahead: number;
        /** ISO 8601 in UTC */
        joinedAt: string;
        /** ISO 8601 in UTC */
        activatedAt: string | null;
        /** ISO 8601 in UTC */
        expiresAt: string | null;
        estimatedWaitSeconds: number | null;
        pollAfterMs: number;
        /** While WAITING: no one is admitted at the moment */
        paused: boolean;
        /** The promoter's message to waiting fans: one text, or one for each language */
        notice: string | null | {
          ko?: string;
          en?: string;
        };
      };
    };
    /** Your balance */
    '/wallet': {
      query: undefined;
      body: undefined;
      response: {
        balance: number;
        currency: string;
      };
    };
    /** What moved your balance, newest first */
    '/wallet/entries': {
      query: {
        /** 1 to 200 */
        limit?: string;
        cursor?: string;
      };
      body: undefined;
      response: {
        items: {
          id: string;
          type: 'CHARGE' | 'PAYMENT' | 'REFUND' | 'FORFEIT';
          amount: number;
          balanceAfter: number;
          reference: string | null;
          /** ISO 8601 in UTC */
          createdAt: string;
        }[];
        nextCursor: string | null;
      };
    };
    /** Your reservations, newest first */
    '/reservations': {
      query: {
        /** 1 to 200 */
        limit?: string;
        cursor?: string;
      };
      body: undefined;
      response: {
        items: {
          id: string;
          concertId: string;
          scheduleId: string;
          seats: {
            id: string;
            label: string;
            section: string;
            row: string;
            /** What is written on the seat */
            number: string;
            grade: string;
            price: number;
          }[];
          amount: number;
          currency: string;
          status: 'HELD' | 'CONFIRMED' | 'EXPIRED' | 'CANCELLED';
          /** ISO 8601 in UTC */
          createdAt: string;
          /** ISO 8601 in UTC */
          expiresAt: string;
          concert: {
            id: string;
            title: string;
            venue: string;
            /** IANA time zone of the venue */
            timeZone: string;
          };
          schedule: {
            id: string;
            /** ISO 8601 in UTC */
            startsAt: string;
          };
        }[];
        nextCursor: string | null;
      };
    };
    /** One of your reservations */
    '/reservations/{id}': {
      query: undefined;
      body: undefined;
      response: {
        id: string;
        concertId: string;
        scheduleId: string;
        seats: {
          id: string;
          label: string;
          section: string;
          row: string;
          /** What is written on the seat */
          number: string;
          grade: string;
          price: number;
        }[];
        amount: number;
        currency: string;
        status: 'HELD' | 'CONFIRMED' | 'EXPIRED' | 'CANCELLED';
        /** ISO 8601 in UTC */
        createdAt: string;
        /** ISO 8601 in UTC */
        expiresAt: string;
        concert: {
          id: string;
          title: string;
          venue: string;
          /** IANA time zone of the venue */
          timeZone: string;
        };
        schedule: {
          id: string;
          /** ISO 8601 in UTC */
          startsAt: string;
        };
      };
    };
    /** Your receipts, newest first */
    '/payments': {
      query: {
        /** 1 to 200 */
        limit?: string;
        cursor?: string;
      };
      body: undefined;
      response: {
        items: {
          id: string;
          number: string;
          reservationId: string;
          concert: {
            id: string;
            title: string;
            venue: string;
            /** IANA time zone of the venue */
            timeZone: string;
          };
          schedule: {
            id: string;
            /** ISO 8601 in UTC */
            startsAt: string;
          };
          seats: {
            label: string;
            section: string;
            row: string;
            /** What is written on the seat */
            number: string;
            grade: string;
            price: number;
          }[];
          amount: number;
          currency: string;
          balanceAfter: number;
          /** ISO 8601 in UTC */
          paidAt: string;
          /** ISO 8601 in UTC */
          refundedAt: string | null;
        }[];
        nextCursor: string | null;
      };
    };
    /** One of your receipts */
    '/payments/{id}': {
      query: undefined;
      body: undefined;
      response: {
        id: string;
        number: string;
        reservationId: string;
        concert: {
          id: string;
          title: string;
          venue: string;
          /** IANA time zone of the venue */
          timeZone: string;
        };
        schedule: {
          id: string;
          /** ISO 8601 in UTC */
          startsAt: string;
        };
        seats: {
          label: string;
          section: string;
          row: string;
          /** What is written on the seat */
          number: string;
          grade: string;
          price: number;
        }[];
        amount: number;
        currency: string;
        balanceAfter: number;
        /** ISO 8601 in UTC */
        paidAt: string;
        /** ISO 8601 in UTC */
        refundedAt: string | null;
      };
    };
    /** All concerts with their policies and sales, newest first */
    '/operator/concerts': {
      query: {
        /** 1 to 200 */
        limit?: string;
        cursor?: string;
      };
      body: undefined;
      response: {
        items: {
          id: string;
          title: string;
          venue: string;
          description: string;
          currency: string;
          /** IANA time zone of the venue */
          timeZone: string;
          runningMinutes: number | null;
          minAge: number | null;
          /** The earliest first; later refunds cost at least as much */
          refundRules: {
            /** Applies until so many days before the date; 0: on the day */
            daysBefore: number;
            /** Of the price; 100: no refund */
            feePercent: number;
          }[];
          poster: {
            /** On this server; the content at a path never changes */
            path: string;
            width: number;
            height: number;
          } | null;
          draft: boolean;
          /** ISO 8601 in UTC */
          salesOpenAt: string | null;
          /** ISO 8601 in UTC */
          salesCloseAt: string | null;
          soldOut: boolean;
          waitingRoom: {
            maxActive: number | null;
            admitCount: number | null;
            admitEverySeconds: number | null;
            activeSeconds: number;
            idleSeconds: number | null;
            showUpSeconds: number | null;
            consumeOn: 'PAYMENT' | 'RESERVATION';
            holdSeconds: number;
            maxSeatsPerUser: number;
            paused: boolean;
            closeWhenSoldOut: boolean;
            /** The promoter's message to waiting fans: one text, or one for each language */
            notice: string | null | {
              ko?: string;
              en?: string;
            };
          };
          /** ISO 8601 in UTC */
          firstStartsAt: string;
          /** ISO 8601 in UTC */
          lastStartsAt: string;
          dates: number;
          seatsTotal: number;
          seatsSold: number;
          revenue: number;
          waiting: number;
          active: number;
        }[];
        nextCursor: string | null;
      };
    };
    /** The currency and time zone of a concert that is added without them */
    '/operator/concert-defaults': {
      query: undefined;
      body: undefined;
      response: {
        currency: string;
        /** IANA time zone of the venue */
        timeZone: string;
      };
    };
    /** One concert with its dates and their sections */
    '/operator/concerts/{id}': {
      query: undefined;
      body: undefined;
      response: {
        id: string;
        title: string;
        venue: string;
        description: string;
        currency: string;
        /** IANA time zone of the venue */
        timeZone: string;
        runningMinutes: number | null;
        minAge: number | null;
        /** The earliest first; later refunds cost at least as much */
        refundRules: {
          /** Applies until so many days before the date; 0: on the day */
          daysBefore: number;
          /** Of the price; 100: no refund */
          feePercent: number;
        }[];
        poster: {
          /** On this server; the content at a path never changes */
          path: string;
          width: number;
          height: number;
        } | null;
        draft: boolean;
        /** ISO 8601 in UTC */
        salesOpenAt: string | null;
        /** ISO 8601 in UTC */
        salesCloseAt: string | null;
        soldOut: boolean;
        waitingRoom: {
          maxActive: number | null;
          admitCount: number | null;
          admitEverySeconds: number | null;
          activeSeconds: number;
          idleSeconds: number | null;
          showUpSeconds: number | null;
          consumeOn: 'PAYMENT' | 'RESERVATION';
          holdSeconds: number;
          maxSeatsPerUser: number;
          paused: boolean;
          closeWhenSoldOut: boolean;
          /** The promoter's message to waiting fans: one text, or one for each language */
          notice: string | null | {
            ko?: string;
            en?: string;
          };
        };
        /** ISO 8601 in UTC */
        firstStartsAt: string;
        /** ISO 8601 in UTC */
        lastStartsAt: string;
        dates: number;
        seatsTotal: number;
        seatsSold: number;
        revenue: number;
        waiting: number;
        active: number;
        schedules: {
          id: string;
          /** ISO 8601 in UTC */
          startsAt: string;
          seatsTotal: number;
          seatsRemaining: number;
          seatsHeld: number;
          seatsSold: number;
          soldOut: boolean;
          sections: {
            name: string;
            grade: string;
            price: number;
            seats: number;
          }[];
        }[];
      };
    };
    /** The waiting room's policy */
    '/operator/concerts/{id}/waiting-room': {
      query: undefined;
      body: undefined;
      response: {
        maxActive: number | null;
        admitCount: number | null;
        admitEverySeconds: number | null;
        activeSeconds: number;
        idleSeconds: number | null;
        showUpSeconds: number | null;
        consumeOn: 'PAYMENT' | 'RESERVATION';
        holdSeconds: number;
        maxSeatsPerUser: number;
        paused: boolean;
        closeWhenSoldOut: boolean;
        /** The promoter's message to waiting fans: one text, or one for each language */
        notice: string | null | {
          ko?: string;
          en?: string;
        };
      };
    };
    /** The sale in numbers */
    '/operator/concerts/{id}/stats': {
      query: undefined;
      body: undefined;
      response: {
        waiting: number;
        active: number;
        done: number;
        expired: number;
        left: number;
        closed: number;
        seatsTotal: number;
        seatsHeld: number;
        seatsSold: number;
        revenue: number;
        admittedLastMinute: number;
        joinedLastMinute: number;
      };
    };
    /** What never changes of a date: where every seat is, and what it costs */
    '/operator/schedules/{id}/chart': {
      query: undefined;
      body: undefined;
      response: {
        scheduleId: string;
        currency: string;
        size: {
          width: number;
          height: number;
        };
        stage: {
          x: number;
          y: number;
          width: number;
          height: number;
        };
        /** One for every price of a grade, the dearest first */
        grades: {
          grade: string;
          price: number;
        }[];
        sections: {
          name: string;
          x: number;
          y: number;
          width: number;
          height: number;
        }[];
        rows: {
          section: number;
          name: string;
        }[];
        /** One list a member, all in chart order; `row` and `grade` are places in the lists above */
        seats: {
          id: string[];
          row: number[];
          number: string[];
          label: string[];
          grade: number[];
          x: number[];
          y: number[];
        };
      };
    };
    /** What does change of a date: the state of every seat, in 2 bits each */
    '/operator/schedules/{id}/state': {
      query: undefined;
      body: undefined;
      response: {
        scheduleId: string;
        /** Another one whenever something has changed */
        version: number;
        /** Base64 of 2 bits a seat in chart order, 4 seats to a byte, the first in the lowest bits: 0 AVAILABLE, 1 HELD, 2 SOLD */
        seats: string;
      };
    };
    /** How the sale went in the last hour, oldest first; `admitted` and `joined` within each period */
    '/operator/concerts/{id}/history': {
      query: undefined;
      body: undefined;
      response: {
        everySeconds: number;
        items: {
          /** ISO 8601 in UTC */
          at: string;
          waiting: number;
          active: number;
          admitted: number;
          joined: number;
          seatsHeld: number;
          seatsSold: number;
          revenue: number;
        }[];
      };
    };
    /** The report of a sale: preliminary while it runs, kept once it has ended */
    '/operator/concerts/{id}/report': {
      query: undefined;
      body: undefined;
      response: {
        concertId: string;
        title: string;
        venue: string;
        currency: string;
        /** false: the sale has not ended yet, and the figures will change */
        isFinal: boolean;
        /** ISO 8601 in UTC */
        asOf: string;
        /** ISO 8601 in UTC */
        opensAt: string | null;
        /** ISO 8601 in UTC */
        closesAt: string;
        queue: {
          joined: number;
          admitted: number;
          waiting: number;
          active: number;
          done: number;
          expired: number;
          left: number;
          closed: number;
          peakWaiting: number;
          peakActive: number;
        };
        waits: {
          /** How many fans were counted: those who were admitted */
          admitted: number;
          medianSeconds: number | null;
          p90Seconds: number | null;
          p99Seconds: number | null;
        };
        sales: {
          seatsTotal: number;
          seatsSold: number;
          payments: number;
          revenue: number;
          refunds: number;
          refundedAmount: number;
          holdsLive: number;
          holdsExpired: number;
          holdsReleased: number;
          /** ISO 8601 in UTC */
          firstPaidAt: string | null;
          /** ISO 8601 in UTC */
          lastPaidAt: string | null;
        };
        dates: {
          scheduleId: string;
          /** ISO 8601 in UTC */
          startsAt: string;
          seatsTotal: number;
          seatsSold: number;
          revenue: number;
          grades: {
            grade: string;
            seatsTotal: number;
            seatsSold: number;
            revenue: number;
          }[];
        }[];
        history: {
          everySeconds: number;
          items: {
            /** ISO 8601 in UTC */
            at: string;
            waiting: number;
            active: number;
            joined: number;
            admitted: number;
            seatsHeld: number;
            seatsSold: number;
            revenue: number;
          }[];
        };
      };
    };
    /** Who did what with a concert, newest first */
    '/operator/concerts/{id}/audit': {
      query: {
        /** 1 to 200 */
        limit?: string;
        cursor?: string;
      };
      body: undefined;
      response: {
        items: {
          id: string;
          /** ISO 8601 in UTC */
          at: string;
          /** null: the command line. Of a failed sign-in, the account that was tried */
          actor: {
            id: string;
            email: string;
          } | null;
          /** null: the action does not belong to one concert */
          concert: {
            id: string;
            title: string;
          } | null;
          action: 'CONCERT_CREATED' | 'CONCERT_EDITED' | 'POLICY_CHANGED' | 'PAYMENT_REFUNDED' | 'CONCERT_DUPLICATED' | 'CONCERT_PUBLISHED' | 'SALES_SEARCHED' | 'SALES_EXPORTED' | 'OPERATOR_SIGNED_IN' | 'OPERATOR_SIGN_IN_FAILED' | 'OPERATOR_INVITED' | 'OPERATOR_ADDED' | 'OPERATOR_REMOVED' | 'PERSONAL_DATA_EXPORTED' | 'ACCOUNT_ERASED';
          /** Of a change, the fields that changed, each with `from` and `to`; of a refund, `paymentId` and `amount`; of a search or an export, `list` and `q`; of a sign-in, `client` */
          details: Record<string, unknown>;
        }[];
        nextCursor: string | null;
      };
    };
    /** Who did what, newest first: every concert, sign-ins, searches, exports and operators */
    '/operator/audit': {
      query: {
        /** 1 to 200 */
        limit?: string;
        cursor?: string;
      };
      body: undefined;
      response: {
        items: {
          id: string;
          /** ISO 8601 in UTC */
          at: string;
          /** null: the command line. Of a failed sign-in, the account that was tried */
          actor: {
            id: string;
            email: string;
          } | null;
          /** null: the action does not belong to one concert */
          concert: {
            id: string;
            title: string;
          } | null;
          action: 'CONCERT_CREATED' | 'CONCERT_EDITED' | 'POLICY_CHANGED' | 'PAYMENT_REFUNDED' | 'CONCERT_DUPLICATED' | 'CONCERT_PUBLISHED' | 'SALES_SEARCHED' | 'SALES_EXPORTED' | 'OPERATOR_SIGNED_IN' | 'OPERATOR_SIGN_IN_FAILED' | 'OPERATOR_INVITED' | 'OPERATOR_ADDED' | 'OPERATOR_REMOVED' | 'PERSONAL_DATA_EXPORTED' | 'ACCOUNT_ERASED';
          /** Of a change, the fields that changed, each with `from` and `to`; of a refund, `paymentId` and `amount`; of a search or an export, `list` and `q`; of a sign-in, `client` */
          details: Record<string, unknown>;
        }[];
        nextCursor: string | null;
      };
    };
    /** All reservations, newest first, or those that match; `Accept: text/csv` downloads them */
    '/operator/concerts/{id}/reservations': {
      query: {
        /** 1 to 200 */
        limit?: string;
        cursor?: string;
        /** Part of an e-mail address, a name, a seat or a receipt number */
        q?: string;
        scheduleId?: string;
        status?: 'HELD' | 'CONFIRMED' | 'EXPIRED' | 'CANCELLED';
      };
      body: undefined;
      response: {
        items: {
          id: string;
          concertId: string;
          scheduleId: string;
          seats: {
            id: string;
            label: string;
            section: string;
            row: string;
            /** What is written on the seat */
            number: string;
            grade: string;
            price: number;
          }[];
          amount: number;
          currency: string;
          status: 'HELD' | 'CONFIRMED' | 'EXPIRED' | 'CANCELLED';
          /** ISO 8601 in UTC */
          createdAt: string;
          /** ISO 8601 in UTC */
          expiresAt: string;
          user: {
            id: string;
            email: string;
            name: string;
          };
        }[];
        nextCursor: string | null;
      };
    };
    /** All payments, newest first, or those that match; `Accept: text/csv` downloads them */
    '/operator/concerts/{id}/payments': {
      query: {
        /** 1 to 200 */
        limit?: string;
        cursor?: string;
        /** Part of an e-mail address, a name, a seat or a receipt number */
        q?: string;
        scheduleId?: string;
        status?: 'PAID' | 'REFUNDED';
      };
      body: undefined;
      response: {
        items: {
          id: string;
          number: string;
          reservationId: string;
          concert: {
            id: string;
            title: string;
            venue: string;
            /** IANA time zone of the venue */
            timeZone: string;
          };
          schedule: {
            id: string;
            /** ISO 8601 in UTC */
            startsAt: string;
          };
          seats: {
            label: string;
            section: string;
            row: string;
            /** What is written on the seat */
            number: string;
            grade: string;
            price: number;
          }[];
          amount: number;
          currency: string;
          balanceAfter: number;
          /** ISO 8601 in UTC */
          paidAt: string;
          /** ISO 8601 in UTC */
          refundedAt: string | null;
          user: {
            id: string;
            email: string;
            name: string;
          };
        }[];
        nextCursor: string | null;
      };
    };
    /** One seat, and who holds or bought it */
    '/operator/schedules/{id}/seats/{seatId}': {
      query: undefined;
      body: undefined;
      response: {
        id: string;
        label: string;
        grade: string;
        price: number;
        status: 'AVAILABLE' | 'HELD' | 'SOLD';
        reservation: {
          id: string;
          concertId: string;
          scheduleId: string;
          seats: {
            id: string;
            label: string;
            section: string;
            row: string;
            /** What is written on the seat */
            number: string;
            grade: string;
            price: number;
          }[];
          amount: number;
          currency: string;
          status: 'HELD' | 'CONFIRMED' | 'EXPIRED' | 'CANCELLED';
          /** ISO 8601 in UTC */
          createdAt: string;
          /** ISO 8601 in UTC */
          expiresAt: string;
          user: {
            id: string;
            email: string;
            name: string;
          };
        } | null;
        payment: {
          id: string;
          number: string;
          reservationId: string;
          concert: {
            id: string;
            title: string;
            venue: string;
            /** IANA time zone of the venue */
            timeZone: string;
          };
          schedule: {
            id: string;
            /** ISO 8601 in UTC */
            startsAt: string;
          };
          seats: {
            label: string;
            section: string;
            row: string;
            /** What is written on the seat */
            number: string;
            grade: string;
            price: number;
          }[];
          amount: number;
          currency: string;
          balanceAfter: number;
          /** ISO 8601 in UTC */
          paidAt: string;
          /** ISO 8601 in UTC */
          refundedAt: string | null;
          user: {
            id: string;
            email: string;
            name: string;
          };
        } | null;
      };
    };
    /** Mails of the last days, newest first; with their texts if no SMTP server is configured */
    '/operator/mailbox': {
      query: {
        /** 1 to 200 */
        limit?: string;
        cursor?: string;
      };
      body: undefined;
      response: {
        /** SMTP: mail is sent. MAILBOX: nothing is sent, and operators read it here */
        delivery: 'SMTP' | 'MAILBOX';
        items: {
          id: string;
          to: string;
          subject: string;
          /** null if mail is sent by SMTP, or if the link has expired */
          text: string | null;
          status: 'PENDING' | 'SENT' | 'FAILED' | 'EXPIRED';
          attempts: number;
          /** ISO 8601 in UTC */
          createdAt: string;
          /** ISO 8601 in UTC */
          expiresAt: string;
        }[];
        nextCursor: string | null;
      };
    };
  };
  post: {
    /** Sign up */
    '/users': {
      query: undefined;
      body: {
        email: string;
        password: string;
        name: string;
      };
      response: {
        user: {
          id: string;
          email: string;
          name: string;
          role: 'CUSTOMER' | 'OPERATOR';
          emailVerified: boolean;
        };
        accessToken: string;
        /** ISO 8601 in UTC */
        expiresAt: string;
      };
    };
    /** Sign in */
    '/sessions': {
      query: undefined;
      body: {
        email: string;
        password: string;
      };
      response: {
        user: {
          id: string;
          email: string;
          name: string;
          role: 'CUSTOMER' | 'OPERATOR';
          emailVerified: boolean;
        };
        accessToken: string;
        /** ISO 8601 in UTC */
        expiresAt: string;
      };
    };
    /** Change your password and sign out on every device */
    '/users/me/password': {
      query: undefined;
      body: {
        currentPassword: string;
        newPassword: string;
      };
      response: undefined;
    };
    /** Mail a link that sets a new password, if the address has an account */
    '/password-resets': {
      query: undefined;
      body: {
        email: string;
      };
      response: {};
    };
    /** Set a new password with the token of a mailed link, and sign out everywhere */
    '/password-resets/{token}': {
      query: undefined;
      body: {
        newPassword: string;
      };
      response: undefined;
    };
    /** Mail a link that verifies your address, unless it is verified */
    '/email-verifications': {
      query: undefined;
      body: {} | null;
      response: {};
    };
    /** Verify an address with the token of a mailed link */
    '/email-verifications/{token}': {
      query: undefined;
      body: {} | null;
      response: undefined;
    };
    /** Invite an operator by mail; again to send another link */
    '/operator/operators': {
      query: undefined;
      body: {
        email: string;
        name: string;
      };
      response: {
        id: string;
        email: string;
        name: string;
        status: 'ACTIVE' | 'INVITED';
        /** ISO 8601 in UTC */
        createdAt: string;
      };
    };
    /** Join the waiting room, or get the place you already have */
    '/concerts/{concertId}/queue-tokens': {
      query: undefined;
      body: {} | null;
      response: {
        token: string;
        concertId: string;
        status: 'WAITING' | 'ACTIVE' | 'DONE' | 'EXPIRED' | 'CLOSED';
        rank: number;
        ahead: number;
        /** ISO 8601 in UTC */
        joinedAt: string;
        /** ISO 8601 in UTC */
        activatedAt: string | null;
        /** ISO 8601 in UTC */
        expiresAt: string | null;
        estimatedWaitSeconds: number | null;
        pollAfterMs: number;
        /** While WAITING: no one is admitted at the moment */
        paused: boolean;
        /** The promoter's message to waiting fans: one text, or one for each language */
        notice: string | null | {
          ko?: string;
          en?: string;
        };
      };
    };
    /** Charge your wallet */
    '/wallet/charges': {
      query: undefined;
      body: {
        amount: number;
      };
      response: {
        balance: number;
        currency: string;
        entry: {
          id: string;
          type: 'CHARGE' | 'PAYMENT' | 'REFUND' | 'FORFEIT';
          amount: number;
          balanceAfter: number;
          reference: string | null;
          /** ISO 8601 in UTC */
          createdAt: string;
        };
      };
    };
    /** Hold seats, all or none */
    '/reservations': {
      query: undefined;
      body: {
        scheduleId: string;
        seatIds: string[];
      };
      response: {
        id: string;
        concertId: string;
        scheduleId: string;
        seats: {
          id: string;
          label: string;
          section: string;
          row: string;
          /** What is written on the seat */
          number: string;
          grade: string;
          price: number;
        }[];
        amount: number;
        currency: string;
        status: 'HELD' | 'CONFIRMED' | 'EXPIRED' | 'CANCELLED';
        /** ISO 8601 in UTC */
        createdAt: string;
        /** ISO 8601 in UTC */
        expiresAt: string;
        concert: {
          id: string;
          title: string;
          venue: string;
          /** IANA time zone of the venue */
          timeZone: string;
        };
        schedule: {
          id: string;
          /** ISO 8601 in UTC */
          startsAt: string;
        };
      };
    };
    /** Hold the best free seats side by side, chosen for you */
    '/reservations/best': {
      query: undefined;
      body: {
        scheduleId: string;
        count: number;
        grade?: string;
      };
      response: {
        id: string;
        concertId: string;
        scheduleId: string;
        seats: {
          id: string;
          label: string;
          section: string;
          row: string;
          /** What is written on the seat */
          number: string;
          grade: string;
          price: number;
        }[];
        amount: number;
        currency: string;
        status: 'HELD' | 'CONFIRMED' | 'EXPIRED' | 'CANCELLED';
        /** ISO 8601 in UTC */
        createdAt: string;
        /** ISO 8601 in UTC */
        expiresAt: string;
        concert: {
          id: string;
          title: string;
          venue: string;
          /** IANA time zone of the venue */
          timeZone: string;
        };
        schedule: {
          id: string;
          /** ISO 8601 in UTC */
          startsAt: string;
        };
      };
    };
    /** Pay a held reservation from your wallet */
    '/payments': {
      query: undefined;
      body: {
        reservationId: string;
      };
      response: {
        id: string;
        number: string;
        reservationId: string;
        concert: {
          id: string;
          title: string;
          venue: string;
          /** IANA time zone of the venue */
          timeZone: string;
        };
        schedule: {
          id: string;
          /** ISO 8601 in UTC */
          startsAt: string;
        };
        seats: {
          label: string;
          section: string;
          row: string;
          /** What is written on the seat */
          number: string;
          grade: string;
          price: number;
        }[];
        amount: number;
        currency: string;
        balanceAfter: number;
        /** ISO 8601 in UTC */
        paidAt: string;
        /** ISO 8601 in UTC */
        refundedAt: string | null;
      };
    };
    /** Add a concert with its dates, seats and waiting room */
    '/operator/concerts': {
      query: undefined;
      body: {
        title: string;
        venue: string;
        description?: string;
        currency?: string;
        /** IANA time zone of the venue */
        timeZone?: string;
        runningMinutes?: number | null;
        minAge?: number | null;
        /** The earliest first; later refunds cost at least as much */
        refundRules?: {
          /** Applies until so many days before the date; 0: on the day */
          daysBefore: number;
          /** Of the price; 100: no refund */
          feePercent: number;
        }[];
        /** Only operators see a draft, until it is published */
        draft?: boolean;
        /** ISO 8601 in UTC */
        salesOpenAt?: string | null;
        /** ISO 8601 in UTC */
        salesCloseAt?: string | null;
        waitingRoom?: {
          maxActive?: number | null;
          admitCount?: number | null;
          admitEverySeconds?: number | null;
          activeSeconds?: number;
          idleSeconds?: number | null;
          showUpSeconds?: number | null;
          consumeOn?: 'PAYMENT' | 'RESERVATION';
          holdSeconds?: number;
          maxSeatsPerUser?: number;
          paused?: boolean;
          closeWhenSoldOut?: boolean;
          /** The promoter's message to waiting fans: one text, or one for each language */
          notice?: string | null | {
            ko?: string;
            en?: string;
          };
        };
        schedules: {
          /** ISO 8601 in UTC */
          startsAt: string;
          /** This, or `plan` and `prices` */
          sections?: {
            name: string;
            rows: number;
            seatsPerRow: number;
            grade: string;
            price: number;
          }[];
          plan?: {
            categories: {
              name: string;
            }[];
            zones: {
              name: string;
              position?: {
                x: number;
                y: number;
              };
              rows: {
                row_number: string;
                position?: {
                  x: number;
                  y: number;
                };
                seats: {
                  seat_number: string;
                  seat_guid?: string;
                  position: {
                    x: number;
                    y: number;
                  };
                  category: string;
                }[];
              }[];
            }[];
          };
          /** What a seat of each category costs */
          prices?: Record<string, number>;
        }[];
      };
      response: {
        id: string;
        schedules: {
          id: string;
          /** ISO 8601 in UTC */
          startsAt: string;
          seatsTotal: number;
        }[];
      };
    };
    /** Show a draft to everybody; again: no change */
    '/operator/concerts/{id}/publish': {
      query: undefined;
      body: {} | null;
      response: {
        id: string;
        title: string;
        venue: string;
        description: string;
        currency: string;
        /** IANA time zone of the venue */
        timeZone: string;
        runningMinutes: number | null;
        minAge: number | null;
        /** The earliest first; later refunds cost at least as much */
        refundRules: {
          /** Applies until so many days before the date; 0: on the day */
          daysBefore: number;
          /** Of the price; 100: no refund */
          feePercent: number;
        }[];
        poster: {
          /** On this server; the content at a path never changes */
          path: string;
          width: number;
          height: number;
        } | null;
        draft: boolean;
        /** ISO 8601 in UTC */
        salesOpenAt: string | null;
        /** ISO 8601 in UTC */
        salesCloseAt: string | null;
      };
    };
    /** Add the same concert again on other dates: same charts, same policy, nothing sold */
    '/operator/concerts/{id}/duplicate': {
      query: undefined;
      body: {
        title?: string;
        /** ISO 8601 in UTC */
        salesOpenAt?: string | null;
        /** ISO 8601 in UTC */
        salesCloseAt?: string | null;
        /** By default, the copy of a draft is a draft */
        draft?: boolean;
        shiftDays?: number;
      };
      response: {
        id: string;
        schedules: {
          id: string;
          /** ISO 8601 in UTC */
          startsAt: string;
          seatsTotal: number;
        }[];
      };
    };
    /** Give a payment back: the money to the wallet, the seats to whoever wants them */
    '/operator/payments/{id}/refund': {
      query: undefined;
      body: {} | null;
      response: {
        paymentId: string;
        reservationId: string;
        amount: number;
        currency: string;
        /** ISO 8601 in UTC */
        refundedAt: string;
      };
    };
  };
  put: {
    /** Upload or replace the poster: PNG, JPEG or WebP, at most 2 MiB */
    '/operator/concerts/{id}/poster': {
      query: undefined;
      body: undefined;
      response: {
        id: string;
        title: string;
        venue: string;
        description: string;
        currency: string;
        /** IANA time zone of the venue */
        timeZone: string;
        runningMinutes: number | null;
        minAge: number | null;
        /** The earliest first; later refunds cost at least as much */
        refundRules: {
          /** Applies until so many days before the date; 0: on the day */
          daysBefore: number;
          /** Of the price; 100: no refund */
          feePercent: number;
        }[];
        poster: {
          /** On this server; the content at a path never changes */
          path: string;
          width: number;
          height: number;
        } | null;
        draft: boolean;
        /** ISO 8601 in UTC */
        salesOpenAt: string | null;
        /** ISO 8601 in UTC */
        salesCloseAt: string | null;
      };
    };
  };
  patch: {
    /** Change details and sale times */
    '/operator/concerts/{id}': {
      query: undefined;
      body: {
        title?: string;
        venue?: string;
        description?: string;
        /** IANA time zone of the venue */
        timeZone?: string;
        runningMinutes?: number | null;
        minAge?: number | null;
        /** The earliest first; later refunds cost at least as much */
        refundRules?: {
          /** Applies until so many days before the date; 0: on the day */
          daysBefore: number;
          /** Of the price; 100: no refund */
          feePercent: number;
        }[];
        /** ISO 8601 in UTC */
        salesOpenAt?: string | null;
        /** ISO 8601 in UTC */
        salesCloseAt?: string | null;
      };
      response: {
        id: string;
        title: string;
        venue: string;
        description: string;
        currency: string;
        /** IANA time zone of the venue */
        timeZone: string;
        runningMinutes: number | null;
        minAge: number | null;
        /** The earliest first; later refunds cost at least as much */
        refundRules: {
          /** Applies until so many days before the date; 0: on the day */
          daysBefore: number;
          /** Of the price; 100: no refund */
          feePercent: number;
        }[];
        poster: {
          /** On this server; the content at a path never changes */
          path: string;
          width: number;
          height: number;
        } | null;
        draft: boolean;
        /** ISO 8601 in UTC */
        salesOpenAt: string | null;
        /** ISO 8601 in UTC */
        salesCloseAt: string | null;
      };
    };
    /** Change any part of the policy, with immediate effect */
    '/operator/concerts/{id}/waiting-room': {
      query: undefined;
      body: {
        maxActive?: number | null;
        admitCount?: number | null;
        admitEverySeconds?: number | null;
        activeSeconds?: number;
        idleSeconds?: number | null;
        showUpSeconds?: number | null;
        consumeOn?: 'PAYMENT' | 'RESERVATION';
        holdSeconds?: number;
        maxSeatsPerUser?: number;
        paused?: boolean;
        closeWhenSoldOut?: boolean;
        /** The promoter's message to waiting fans: one text, or one for each language */
        notice?: string | null | {
          ko?: string;
          en?: string;
        };
      };
      response: {
        maxActive: number | null;
        admitCount: number | null;
        admitEverySeconds: number | null;
        activeSeconds: number;
        idleSeconds: number | null;
        showUpSeconds: number | null;
        consumeOn: 'PAYMENT' | 'RESERVATION';
        holdSeconds: number;
        maxSeatsPerUser: number;
        paused: boolean;
        closeWhenSoldOut: boolean;
        /** The promoter's message to waiting fans: one text, or one for each language */
        notice: string | null | {
          ko?: string;
          en?: string;
        };
      };
    };
  };
  delete: {
    /** Sign out on every device */
    '/sessions': {
      query: undefined;
      body: undefined;
      response: undefined;
    };
    /** Sign out on this device */
    '/sessions/me': {
      query: undefined;
      body: undefined;
      response: undefined;
    };
    /** Delete your account: erases the person and keeps the books */
    '/users/me': {
      query: undefined;
      body: {
        password: string;
        /** true: give up the balance. Otherwise an account with money is not erased */
        forfeitBalance?: boolean;
      };
      response: undefined;
    };
    /** Remove another operator, or take an invitation back */
    '/operator/operators/{id}': {
      query: undefined;
      body: undefined;
      response: undefined;
    };
    /** Give your place up for good */
    '/queue-tokens/me': {
      query: undefined;
      body: undefined;
      response: undefined;
    };
    /** Release a held reservation */
    '/reservations/{id}': {
      query: undefined;
      body: undefined;
      response: undefined;
    };
    /** Remove the poster; without one: no change */
    '/operator/concerts/{id}/poster': {
      query: undefined;
      body: undefined;
      response: {
        id: string;
        title: string;
        venue: string;
        description: string;
        currency: string;
        /** IANA time zone of the venue */
        timeZone: string;
        runningMinutes: number | null;
        minAge: number | null;
        /** The earliest first; later refunds cost at least as much */
        refundRules: {
          /** Applies until so many days before the date; 0: on the day */
          daysBefore: number;
          /** Of the price; 100: no refund */
          feePercent: number;
        }[];
        poster: {
          /** On this server; the content at a path never changes */
          path: string;
          width: number;
          height: number;
        } | null;
        draft: boolean;
        /** ISO 8601 in UTC */
        salesOpenAt: string | null;
        /** ISO 8601 in UTC */
        salesCloseAt: string | null;
      };
    };
  };
}
