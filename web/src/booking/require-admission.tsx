import { type ReactNode, useEffect, useState } from 'react';
import { api, type Overview } from '../api/index.js';
import { navigate } from '../app/router.js';
import { useText } from '../i18n/index.js';
import { type Account, RequireAccount, usePlace } from '../session/index.js';
import { Countdown, Spinner, useLoaded, useVisibleInterval } from '../ui/index.js';
import { PlaceEnded } from '../waiting/place-ended.js';
import { SaleEnded } from '../waiting/sale-ended.js';
import { useActivePlace } from './use-active-place.js';

/** How soon a fan who was admitted as the last seats go learns that nothing is left. */
const SALE_REFRESH_MS = 5000;

interface Props {
  readonly concertId: string;
  /** The overview is missing until it could be loaded. */
  readonly children: (token: string, account: Account, overview: Overview | undefined) => ReactNode;
}

/**
 * Renders its children for a fan with an active place. A fan who is still waiting is sent to the waiting room; a fan without
 * a place is sent to the concert's page, because opening a link must not join the queue. When nothing is left to book, it
 * says so instead of showing empty dates and a clock.
 */
export function RequireAdmission({ concertId, children }: Props) {
  return <RequireAccount>{(account) => <Admitted {...{ concertId, account, children }} />}</RequireAccount>;
}

function Admitted({ concertId, account, children }: Props & { readonly account: Account }) {
  const { waiting: text } = useText();
  const token = usePlace(concertId);
  const { place, ended } = useActivePlace(token);
  const sale = useLoaded(`sale ${concertId}`, (signal) =>
    api.get('/concerts/{id}/overview', { params: { id: concertId }, signal }),
  );
  useVisibleInterval(SALE_REFRESH_MS, sale.reload);
  // An overview that cannot be loaded must not keep anybody from booking, and loading it again must not hide the page.
  const [wasAsked, setWasAsked] = useState(false);
  if (!wasAsked && !sale.isLoading) setWasAsked(true);
  const hasNoPlace = token === undefined;
  const mustWait = place?.status === 'WAITING' || ended?.status === 401;
  useEffect(() => {
    if (hasNoPlace) navigate(`/concerts/${concertId}`, { replace: true });
    else if (mustWait) navigate(`/concerts/${concertId}/waiting`, { replace: true });
  }, [hasNoPlace, mustWait, concertId]);
  if (hasNoPlace || mustWait) return null;
  if (ended) return <PlaceEnded concertId={concertId} problem={ended} />;
  if (!place || !wasAsked) return <Spinner />;
  if (sale.value && (sale.value.soldOut || sale.value.saleState === 'CLOSED'))
    return <SaleEnded concertId={concertId} wasAdmitted />;
  return (
    <>
      {place.expiresAt !== null && (
        <div className="inside-bar">
          <Countdown until={place.expiresAt} label={text.timeToBook} />
        </div>
      )}
      {children(token, account, sale.value)}
    </>
  );
}
