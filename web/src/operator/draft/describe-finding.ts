import type { useFormat } from '../../i18n/index.js';
import type { OperatorConcertDetails } from '../operator-api.js';
import type { OperatorText } from '../texts/index.js';
import type { Finding } from './checklist.js';

type Format = ReturnType<typeof useFormat>;

const SECOND_MS = 1000;

/** A finding in words: what fans will get, or what is wrong. */
export function describeFinding(
  finding: Finding,
  concert: OperatorConcertDetails,
  { draft }: OperatorText,
  format: Format,
): string {
  switch (finding.about) {
    case 'dates': {
      const { all, begun } = finding;
      const first = format.date(concert.schedules[0]?.startsAt ?? 0);
      if (finding.level === 'OK') return draft.datesFine(all, first);
      return begun < all ? draft.someDatesBegun(begun, all) : draft.allDatesBegun;
    }
    case 'prices': {
      if (finding.free.length > 0) return draft.freeSections(finding.free.join(', '));
      const prices = concert.schedules.flatMap(({ sections }) => sections.map(({ price }) => price));
      const money = (price: number): string => format.money(price, concert.currency);
      const [low, high] = [Math.min(...prices), Math.max(...prices)];
      return low === high ? draft.onePrice(money(low)) : draft.prices(money(low), money(high));
    }
    case 'opening':
      return {
        OPENS_LATER: draft.opensLater(format.date(concert.salesOpenAt ?? 0)),
        OPENS_AT_ONCE: draft.opensAtOnce,
        OPENS_TOO_LATE: draft.opensTooLate,
        HAS_ENDED: draft.hasEnded,
      }[finding.says];
    case 'policy': {
      const { maxActive, activeSeconds, holdSeconds, maxSeatsPerUser } = concert.waitingRoom;
      const duration = (seconds: number): string => format.duration(seconds * SECOND_MS);
      return {
        FINE: draft.policyFine(
          maxActive === null ? draft.noMax : draft.max(format.number(maxActive)),
          duration(activeSeconds),
          duration(holdSeconds),
          maxSeatsPerUser,
        ),
        PAUSED: draft.startsPaused,
        ADMITS_NOBODY: draft.admitsNobody,
        NO_LIMIT: draft.noLimit,
        TOO_SHORT_TO_PAY: draft.tooShortToPay,
      }[finding.says];
    }
  }
}
