import { useEffect, useEffectEvent, useState } from 'react';
import { api, type Concert, isProblem, Problem, withRetries } from '../api/index.js';
import { Link } from '../app/link.js';
import { PageTitle } from '../app/page-title.js';
import { type Account, places, RequireAccount, usePlace } from '../session/index.js';
import { Failure, Loading, Spinner, useAction, useLoaded } from '../ui/index.js';
import { useText } from '../i18n/index.js';
import { InLine } from './in-line.js';
import { PlaceOver } from './place-over.js';

export function WaitingPage({ id }: { readonly id: string }) {
  const concert = useLoaded(`concert ${id}`, (signal) =>
    api.get('/concerts/{id}', { params: { id }, signal }),
  );
  return (
    <RequireAccount>
      {(account) => (
        <Loading of={concert}>
          {(value) => <WaitingRoom key={account.user.id} concert={value} account={account} />}
        </Loading>
      )}
    </RequireAccount>
  );
}

/** The kept place was never joined here: its database is another one, or the key has changed. */
const isUnknown = (problem: Problem): boolean => problem.status === 401 || problem.reason === 'NOT_ACTIVE';

function WaitingRoom({ concert, account }: { readonly concert: Concert; readonly account: Account }) {
  const token = usePlace(concert.id);
  const [hadPlace, setHadPlace] = useState(false);
  const [over, setOver] = useState<Problem | undefined>();
  if (token !== undefined && !hadPlace) setHadPlace(true);

  const end = (problem: Problem): void => {
    if (isUnknown(problem)) setHadPlace(false);
    else setOver(problem);
    places.forget(concert.id);
  };
  const rejoin = (): void => {
    setHadPlace(false);
    setOver(undefined);
  };
  // Gone from under us: another tab has left the line, which must not quietly join it again.
  const ended =
    over ??
    (token === undefined && hadPlace ? new Problem(403, 'ACCESS_DENIED', { reason: 'LEFT' }) : undefined);

  if (ended) return <PlaceOver concertId={concert.id} problem={ended} onRejoin={rejoin} />;
  if (token === undefined) return <Joining concertId={concert.id} accessToken={account.accessToken} />;
  return <InLine concert={concert} token={token} onOver={end} />;
}

/** Takes a place; whoever has one already, here or on another device, gets the same one again. */
function Joining({ concertId, accessToken }: { readonly concertId: string; readonly accessToken: string }) {
  const { waiting: text } = useText();
  const join = useAction(async () => {
    const place = await withRetries(() =>
      api.post('/concerts/{concertId}/queue-tokens', { params: { concertId }, token: accessToken, body: {} }),
    );
    places.keep(concertId, place.token);
  });
  const start = useEffectEvent(() => join.run());
  useEffect(() => start(), []);
  if (join.error === undefined) return <Spinner label={text.joining} />;
  const isFinal = isProblem(join.error, 'SALES_CLOSED');
  return (
    <section className="narrow stack">
      <PageTitle title={text.title}>{text.title}</PageTitle>
      <Failure error={join.error} onRetry={isFinal ? undefined : () => join.run()} />
      <Link className="button button-quiet" href={`/concerts/${concertId}`}>
        {text.backToConcert}
      </Link>
    </section>
  );
}
