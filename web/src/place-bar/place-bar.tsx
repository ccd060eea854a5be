import { useEffect, useEffectEvent, useRef } from 'react';
import { useRoute } from '../app/router.js';
import { myHolds, useMyHolds } from '../booking/my-holds.js';
import { type Account, useAccount, usePlaces } from '../session/index.js';
import { useVisibleInterval } from '../ui/index.js';
import { HoldRow } from './hold-row.js';
import { PlaceRow } from './place-row.js';

/** Also finds seats that were held or released on another device. */
const HOLDS_REFRESH_MS = 30_000;

/** Follows a signed-in fan on every page: what they hold, where they wait, and one tap to continue. */
export function PlaceBar() {
  const account = useAccount();
  return account && <RowsOf key={account.user.id} account={account} />;
}

/** The pages of a concert behind its waiting room show the place themselves. */
const isInside = (path: string, concertId: string): boolean => path.startsWith(`/concerts/${concertId}/`);

function RowsOf({ account }: { readonly account: Account }) {
  const { path } = useRoute();
  const places = usePlaces();
  const holds = useMyHolds(account);
  const loading = useRef<AbortController>(undefined);
  const load = (): void => {
    loading.current?.abort();
    loading.current = new AbortController();
    // Without a connection the bar keeps what it knows; the pages themselves report the connection.
    myHolds.load(account, loading.current.signal).catch(() => undefined);
  };
  const loadOnNavigation = useEffectEvent(load);
  useEffect(() => loadOnNavigation(), [path]);
  useEffect(() => () => loading.current?.abort(), []);
  useVisibleInterval(HOLDS_REFRESH_MS, load);
  const heldConcerts = new Set(holds.map(({ concertId }) => concertId));
  return (
    <>
      {holds
        .filter(({ id }) => path !== `/checkout/${id}`)
        .map((hold) => (
          <HoldRow
            key={hold.id}
            hold={hold}
            account={account}
            isInside={isInside(path, hold.concertId)}
            onEnd={() => myHolds.remove(hold.id)}
          />
        ))}
      {Object.entries(places)
        .filter(([concertId]) => !heldConcerts.has(concertId) && !isInside(path, concertId))
        .map(([concertId, token]) => (
          <PlaceRow key={token} concertId={concertId} token={token} />
        ))}
    </>
  );
}
