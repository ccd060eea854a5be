import { type ReactNode, useEffect } from 'react';
import { navigate } from '../app/router.js';
import { useText } from '../i18n/index.js';
import { type Account, RequireAccount, usePlace } from '../session/index.js';
import { Countdown, Spinner } from '../ui/index.js';
import { PlaceOver } from '../waiting/place-over.js';
import { useStay } from './use-stay.js';

interface Props {
  readonly concertId: string;
  readonly children: (token: string, account: Account) => ReactNode;
}

/**
 * What only somebody who was let in may see. Who still waits goes to the waiting room, which knows what to do; who has no
 * place goes to the concert, and is not put in line without having asked for it.
 */
export function Inside({ concertId, children }: Props) {
  return <RequireAccount>{(account) => <WithPlace {...{ concertId, account, children }} />}</RequireAccount>;
}

function WithPlace({ concertId, account, children }: Props & { readonly account: Account }) {
  const { waiting: text } = useText();
  const token = usePlace(concertId);
  const { place, over } = useStay(token);
  const hasNone = token === undefined;
  const mustWait = place?.status === 'WAITING' || over?.status === 401;
  useEffect(() => {
    if (hasNone) navigate(`/concerts/${concertId}`, { replace: true });
    else if (mustWait) navigate(`/concerts/${concertId}/waiting`, { replace: true });
  }, [hasNone, mustWait, concertId]);
  if (hasNone || mustWait) return null;
  if (over) return <PlaceOver concertId={concertId} problem={over} />;
  if (!place) return <Spinner />;
  return (
    <>
      {place.expiresAt !== null && (
        <div className="inside-bar">
          <Countdown until={place.expiresAt} label={text.inside} />
        </div>
      )}
      {children(token, account)}
    </>
  );
}
