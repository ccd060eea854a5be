import { useEffect, useEffectEvent, useState } from 'react';
import { api, type Concert, isProblem, Problem, withRetries } from '../api/index.js';
import { Link } from '../app/link.js';
import { PageTitle } from '../app/page-title.js';
import { type Account, places, RequireAccount, usePlace } from '../session/index.js';
import { ErrorNotice, Loading, Spinner, useAction, useLoaded } from '../ui/index.js';
import { useText } from '../i18n/index.js';
import { InQueue } from './in-queue.js';
import { PlaceEnded } from './place-ended.js';
import { SaleEnded } from './sale-ended.js';

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

/** The server does not know the stored place: its database or signing key was replaced. */
const isUnknownPlace = (problem: Problem): boolean =>
  problem.status === 401 || problem.reason === 'NOT_ACTIVE';

function WaitingRoom({ concert, account }: { readonly concert: Concert; readonly account: Account }) {
  const token = usePlace(concert.id);
  const [hadPlace, setHadPlace] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  if (token !== undefined && !hadPlace) setHadPlace(true);

  const endPlace = (ending: Problem): void => {
    if (isUnknownPlace(ending)) setHadPlace(false);
    else setProblem(ending);
    places.remove(concert.id);
  };
  const rejoin = (): void => {
    setHadPlace(false);
    setProblem(undefined);
  };
  // Another tab has left the queue: this one must not join it again without being asked.
  const ended =
    problem ??
    (token === undefined && hadPlace ? new Problem(403, 'ACCESS_DENIED', { reason: 'LEFT' }) : undefined);

  if (ended) return <PlaceEnded concertId={concert.id} problem={ended} onRejoin={rejoin} />;
  if (token === undefined) return <Joining concertId={concert.id} accessToken={account.accessToken} />;
  return <InQueue concert={concert} token={token} onEnded={endPlace} />;
}

/** Joins the queue. A fan who already has a place, even on another device, gets the same one. */
function Joining({ concertId, accessToken }: { readonly concertId: string; readonly accessToken: string }) {
  const { waiting: text } = useText();
  const join = useAction(async () => {
    const place = await withRetries(() =>
      api.post('/concerts/{concertId}/queue-tokens', { params: { concertId }, token: accessToken, body: {} }),
    );
    places.save(concertId, place.token);
  });
  const start = useEffectEvent(() => join.run());
  useEffect(() => start(), []);
  if (join.error === undefined) return <Spinner label={text.joining} />;
  if (isProblem(join.error, 'SALES_CLOSED') || isProblem(join.error, 'SOLD_OUT'))
    return <SaleEnded concertId={concertId} />;
  return (
    <section className="narrow stack">
      <PageTitle title={text.title}>{text.title}</PageTitle>
      <ErrorNotice error={join.error} onRetry={() => join.run()} />
      <Link className="button button-quiet" href={`/concerts/${concertId}`}>
        {text.backToConcert}
      </Link>
    </section>
  );
}
