import type { Concert, Overview } from '../api/index.js';
import { useFormat, useText } from '../i18n/index.js';

/** Where, when, for whom and under which rules. What the promoter has not stated is left out. */
export function Facts({ concert, overview }: { readonly concert: Concert; readonly overview: Overview }) {
  const { concerts: text } = useText();
  const format = useFormat(concert.timeZone);
  const { runningMinutes, minAge, refundRules } = concert;
  return (
    <dl className="facts">
      <dt>{text.where}</dt>
      <dd>{concert.venue}</dd>
      <dt>{text.when}</dt>
      <dd>
        <ul>
          {overview.dates.map(({ id, startsAt, soldOut }) => (
            <li key={id}>
              <time dateTime={startsAt}>{format.date(startsAt, 'full')}</time>
              {soldOut && <span className="tag tag-bad">{text.dateSoldOut}</span>}
            </li>
          ))}
        </ul>
      </dd>
      {runningMinutes !== null && (
        <>
          <dt>{text.runningTime}</dt>
          <dd>{text.minutes(format.number(runningMinutes))}</dd>
        </>
      )}
      {minAge !== null && (
        <>
          <dt>{text.age}</dt>
          <dd>{minAge === 0 ? text.allAges : text.fromAge(minAge)}</dd>
        </>
      )}
      <dt>{text.limit}</dt>
      <dd>{text.limitPerPerson(overview.maxSeatsPerUser)}</dd>
      {refundRules.length > 0 && (
        <>
          <dt>{text.refunds}</dt>
          <dd>
            <ul className="refund-rules">
              {refundRules.map(({ daysBefore, feePercent }) => (
                <li key={daysBefore}>
                  {text.refundUntil(daysBefore)}: <strong>{text.refundFee(feePercent)}</strong>
                </li>
              ))}
            </ul>
          </dd>
        </>
      )}
    </dl>
  );
}
