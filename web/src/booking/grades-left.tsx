import type { Schedule } from '../api/index.js';
import { useFormat, useText } from '../i18n/index.js';

/** How many seats of each grade are left on a date. */
export function GradesLeft({ grades }: Pick<Schedule, 'grades'>) {
  const { dates: text } = useText();
  const format = useFormat();
  return (
    <ul className="grades-left">
      {grades.map(({ grade, price, seatsRemaining }) => (
        <li key={`${grade} ${price}`} className={seatsRemaining === 0 ? 'is-gone' : undefined}>
          <span>{format.grade(grade)}</span>{' '}
          <strong>
            {seatsRemaining === 0 ? text.gradeSoldOut : text.gradeLeft(format.number(seatsRemaining))}
          </strong>
        </li>
      ))}
    </ul>
  );
}
