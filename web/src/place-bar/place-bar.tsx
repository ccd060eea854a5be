import { Fragment, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link } from '../app/link.js';
import { useRoute } from '../app/router.js';
import { myHolds, useMyHolds } from '../booking/my-holds.js';
import { useText } from '../i18n/index.js';
import { type Account, useAccount, usePlaces } from '../session/index.js';
import { useVisibleInterval } from '../ui/index.js';
import { HoldRow } from './hold-row.js';
import { PlaceRow } from './place-row.js';
import { byUrgency } from './urgency.js';

/** Also finds seats that were held or released on another device. */
const HOLDS_REFRESH_MS = 30_000;
/** Where phones show all rows, too. */
const ALL_ROWS_PATH = '/mine';

/** Follows a signed-in fan on every page: what they hold, where they wait, and one tap to continue. */
export function PlaceBar() {
  const account = useAccount();
  return account && <RowsOf key={account.user.id} account={account} />;
}

/** The pages of a concert behind its waiting room show the place themselves. */
const isInside = (path: string, concertId: string): boolean => path.startsWith(`/concerts/${concertId}/`);

function RowsOf({ account }: { readonly account: Account }) {
  const { common } = useText();
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
  const [urgencies, setUrgencies] = useState<Readonly<Record<string, number | undefined>>>({});
  const holdRows = holds
    .filter(({ id }) => path !== `/checkout/${id}`)
    .map((hold) => ({
      key: hold.id,
      urgency: Date.parse(hold.expiresAt),
      view: (
        <HoldRow
          hold={hold}
          account={account}
          isInside={isInside(path, hold.concertId)}
          onEnd={() => myHolds.remove(hold.id)}
        />
      ),
    }));
  const placeRows = Object.entries(places)
    .filter(([concertId]) => !heldConcerts.has(concertId) && !isInside(path, concertId))
    .map(([concertId, token]) => ({
      key: token,
      urgency: urgencies[token],
      view: (
        <PlaceRow
          concertId={concertId}
          token={token}
          onUrgency={(urgency) => setUrgencies((old) => ({ ...old, [token]: urgency }))}
        />
      ),
    }));
  const rows = [...holdRows, ...placeRows].sort(byUrgency);
  const otherCount = rows.filter(({ urgency }) => urgency !== undefined).length - 1;
  return (
    <div className="place-bars">
      {rows.map(({ key, view }) => (
        <Fragment key={key}>{view}</Fragment>
      ))}
      {/* A phone has room for the most urgent row only. */}
      {otherCount > 0 && path !== ALL_ROWS_PATH && (
        <Link
          className="place-bars-more"
          href={ALL_ROWS_PATH}
          aria-label={`+${otherCount} ${common.myTickets}`}
        >
          +{otherCount}
        </Link>
      )}
    </div>
  );
}
