import type { Concert } from '../api/index.js';
import { Link } from '../app/link.js';
import { signInPath } from '../app/router.js';
import { useFormat, useText } from '../i18n/index.js';
import { useAccount, usePlace } from '../session/index.js';
import { Button } from '../ui/index.js';
import { admissionAlert } from '../waiting/admission-alert.js';
import { saleStateAt } from './sale-state.js';

/** The main action of a concert's page. It becomes active when the sale opens, without a reload. */
export function SaleButton({ concert, nowMs }: { readonly concert: Concert; readonly nowMs: number }) {
  const { concerts: text } = useText();
  const format = useFormat(concert.timeZone);
  const isSignedIn = useAccount() !== null;
  const hasPlace = usePlace(concert.id) !== undefined;
  const waitingRoom = `/concerts/${concert.id}/waiting`;
  const state = saleStateAt(concert, nowMs);
  const opensAt = Date.parse(concert.salesOpenAt ?? '');

  if (state === 'OPEN' || (hasPlace && state === 'SOLD_OUT')) {
    return (
      // Browsers allow the admission sound only after a user gesture such as this click.
      <Link
        className="button button-primary button-large button-wide"
        href={waitingRoom}
        onClick={() => admissionAlert.unlockSound()}
      >
        {hasPlace ? text.resume : text.join}
      </Link>
    );
  }
  const { label, hint } = {
    BEFORE: { label: text.opensIn(format.duration(opensAt - nowMs)), hint: text.beforeHint },
    SOLD_OUT: { label: text.soldOut, hint: text.soldOutHint },
    CLOSED: { label: text.closed, hint: text.closedHint },
  }[state];
  return (
    <>
      <Button className="button-large button-wide" disabled>
        {label}
      </Button>
      {state === 'BEFORE' && <p className="small">{text.opensAt(format.date(opensAt, 'full'))}</p>}
      <p className="soft small">{hint}</p>
      {state === 'BEFORE' && !isSignedIn && (
        <Link href={signInPath(`/concerts/${concert.id}`)}>{text.beReady}</Link>
      )}
    </>
  );
}
