import { type ReactNode, useEffect } from 'react';
import { navigate } from '../app/router.js';
import { useText } from '../i18n/index.js';
import { type Account, RequireAccount, usePlace } from '../session/index.js';
import { Countdown, Spinner } from '../ui/index.js';
import { PlaceEnded } from '../waiting/place-ended.js';
import { useActivePlace } from './use-active-place.js';

interface Props {
  readonly concertId: string;
  readonly children: (token: string, account: Account) => ReactNode;
}

/**
 * Renders its children for a fan with an active place. A fan who is still waiting is sent to the waiting room; a fan without
 * a place is sent to the concert's page, because opening a link must not join the queue.
 */
export function RequireAdmission({ concertId, children }: Props) {
  return <RequireAccount>{(account) => <Admitted {...{ concertId, account, children }} />}</RequireAccount>;
}

function Admitted({ concertId, account, children }: Props & { readonly account: Account }) {
  const { waiting: text } = useText();
  const token = usePlace(concertId);
  const { place, ended } = useActivePlace(token);
  const hasNoPlace = token === undefined;
  const mustWait = place?.status === 'WAITING' || ended?.status === 401;
  useEffect(() => {
    if (hasNoPlace) navigate(`/concerts/${concertId}`, { replace: true });
    else if (mustWait) navigate(`/concerts/${concertId}/waiting`, { replace: true });
  }, [hasNoPlace, mustWait, concertId]);
  if (hasNoPlace || mustWait) return null;
  if (ended) return <PlaceEnded concertId={concertId} problem={ended} />;
  if (!place) return <Spinner />;
  return (
    <>
      {place.expiresAt !== null && (
        <div className="inside-bar">
          <Countdown until={place.expiresAt} label={text.timeToBook} />
        </div>
      )}
      {children(token, account)}
    </>
  );
}
