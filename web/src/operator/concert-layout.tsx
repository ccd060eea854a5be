import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from '../app/link.js';
import { PageTitle } from '../app/page-title.js';
import { useRoute } from '../app/router.js';
import { VenueZone } from '../i18n/index.js';
import { Button, Loading, useLoaded, useServerNow } from '../ui/index.js';
import { operatorApi, type OperatorConcertDetails } from './operator-api.js';
import { DuplicateDialog } from './duplicate-dialog.js';
import { PauseBar } from './live/pause-bar.js';
import { usePolling } from './live/use-polling.js';
import { SaleTag, NextSaleTime } from './sale-tag.js';
import { useOperatorText } from './texts/index.js';

/** A concert may also be changed by another promoter or from the command line. */
const CONCERT_EVERY_MS = 10_000;

interface Props {
  readonly id: string;
  readonly children: (
    concert: OperatorConcertDetails,
    /** Replaces the loaded concert after a page has changed it. */
    onChanged: (concert: OperatorConcertDetails) => void,
  ) => ReactNode;
}

/** The pages of a concert. */
function useTabs({
  id,
  draft: isDraft,
}: OperatorConcertDetails): readonly (readonly [href: string, name: string])[] {
  const { draft, general, report } = useOperatorText();
  const root = `/operator/concerts/${id}`;
  if (isDraft)
    return [
      [root, draft.name],
      [`${root}/details`, general.details],
      [`${root}/changes`, general.audit],
    ];
  return [
    [root, general.live],
    [`${root}/reservations`, general.reservations],
    [`${root}/payments`, general.payments],
    [`${root}/report`, report.name],
    [`${root}/details`, general.details],
    [`${root}/changes`, general.audit],
  ];
}

function Tabs({ concert }: { readonly concert: OperatorConcertDetails }) {
  const { general } = useOperatorText();
  const { path } = useRoute();
  const tabs = useTabs(concert);
  const tabBar = useRef<HTMLElement>(null);
  // On a phone the tabs are wider than the page: scroll the current one into view.
  useEffect(() => {
    tabBar.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [path]);
  return (
    <nav ref={tabBar} className="op-tabs" aria-label={general.pagesOf(concert.title)}>
      {tabs.map(([href, name]) => (
        <Link key={href} href={href} aria-current={path === href ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}

function ConcertHeader({ concert }: { readonly concert: OperatorConcertDetails }) {
  const { draft, general } = useOperatorText();
  const nowMs = useServerNow();
  const { path } = useRoute();
  const root = `/operator/concerts/${concert.id}`;
  const [, tab = general.live] = useTabs(concert).find(([href]) => href === path) ?? [];
  const [duplicating, setDuplicating] = useState(false);
  return (
    <>
      <div className="op-head">
        <div>
          <PageTitle title={`${tab} · ${concert.title}`}>{concert.title}</PageTitle>
          <p className="op-under-title">
            <SaleTag concert={concert} nowMs={nowMs} />
            <span className="soft small">
              {concert.venue} · <NextSaleTime concert={concert} nowMs={nowMs} />
            </span>
          </p>
        </div>
        <div className="row">
          {!concert.draft && (
            <Link className="button button-quiet" href={`/concerts/${concert.id}`}>
              {general.fanView}
            </Link>
          )}
          {concert.draft && path !== root && (
            <Link className="button button-primary" href={root}>
              {draft.checkAndPublish}
            </Link>
          )}
          <Button tone="quiet" onClick={() => setDuplicating(true)}>
            {general.duplicate}
          </Button>
        </div>
      </div>
      <Tabs concert={concert} />
      {duplicating && <DuplicateDialog concert={concert} onClose={() => setDuplicating(false)} />}
    </>
  );
}

/** The layout of a concert's pages: title, state of the sale and tabs. */
export function ConcertLayout({ id, children }: Props) {
  const load = (signal: AbortSignal) => operatorApi.concert(id, signal);
  const concert = useLoaded(`operator concert ${id}`, load);
  const put = (next: OperatorConcertDetails): void => concert.update(() => next);
  const { refresh } = usePolling(`operator concert ${id}`, CONCERT_EVERY_MS, load, put);
  const changed = (next: OperatorConcertDetails): void => {
    put(next);
    // Restarts the poll: a response from before the change must not overwrite it on screen.
    refresh();
  };
  const { general } = useOperatorText();
  return (
    <div className="stack op-concert-page">
      <p className="small">
        <Link href="/operator">← {general.allConcerts}</Link>
      </p>
      <Loading of={concert}>
        {(value) => (
          <VenueZone value={value.timeZone}>
            <ConcertHeader concert={value} />
            {children(value, changed)}
            <PauseBar concert={value} onChanged={changed} />
          </VenueZone>
        )}
      </Loading>
    </div>
  );
}
