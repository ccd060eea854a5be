import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from '../app/link.js';
import { PageTitle } from '../app/page-title.js';
import { useRoute } from '../app/router.js';
import { Button, Loading, useLoaded, useServerNow } from '../ui/index.js';
import { desk as server, type DeskConcertWithDates } from './desk.js';
import { DuplicateDialog } from './duplicate-dialog.js';
import { SaleTag, SaleTimesLine } from './sale-state.js';
import { useOperatorText } from './texts/index.js';

interface Props {
  readonly id: string;
  readonly children: (
    concert: DeskConcertWithDates,
    /** For what a page has changed. */
    put: (concert: DeskConcertWithDates) => void,
  ) => ReactNode;
}

/** The pages of a concert: address and name. */
function useTabs({ id }: DeskConcertWithDates): readonly (readonly [href: string, name: string])[] {
  const { desk } = useOperatorText();
  const root = `/operator/concerts/${id}`;
  return [
    [root, desk.live],
    [`${root}/reservations`, desk.reservations],
    [`${root}/payments`, desk.payments],
    [`${root}/details`, desk.details],
    [`${root}/changes`, desk.audit],
  ];
}

function Tabs({ concert }: { readonly concert: DeskConcertWithDates }) {
  const { desk } = useOperatorText();
  const { path } = useRoute();
  const tabs = useTabs(concert);
  const strip = useRef<HTMLElement>(null);
  // On a phone the strip is wider than the page: where one is must be in sight.
  useEffect(() => {
    strip.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [path]);
  return (
    <nav ref={strip} className="op-tabs" aria-label={desk.pagesOf(concert.title)}>
      {tabs.map(([href, name]) => (
        <Link key={href} href={href} aria-current={path === href ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}

function Head({ concert }: { readonly concert: DeskConcertWithDates }) {
  const { desk } = useOperatorText();
  const nowMs = useServerNow();
  const { path } = useRoute();
  const [, tab = desk.live] = useTabs(concert).find(([href]) => href === path) ?? [];
  const [duplicating, setDuplicating] = useState(false);
  return (
    <>
      <div className="op-head">
        <div>
          <PageTitle title={`${tab} · ${concert.title}`}>{concert.title}</PageTitle>
          <p className="op-under-title">
            <SaleTag concert={concert} nowMs={nowMs} />
            <span className="soft small">
              {concert.venue} · <SaleTimesLine concert={concert} nowMs={nowMs} />
            </span>
          </p>
        </div>
        <div className="row">
          <Link className="button button-quiet" href={`/concerts/${concert.id}`}>
            {desk.asPage}
          </Link>
          <Button tone="quiet" onClick={() => setDuplicating(true)}>
            {desk.duplicate}
          </Button>
        </div>
      </div>
      <Tabs concert={concert} />
      {duplicating && <DuplicateDialog concert={concert} onClose={() => setDuplicating(false)} />}
    </>
  );
}

/** What stands above every page of a concert. */
export function ConcertFrame({ id, children }: Props) {
  const concert = useLoaded(`operator concert ${id}`, (signal) => server.concert(id, signal));
  const { desk } = useOperatorText();
  return (
    <div className="stack op-concert-page">
      <p className="small">
        <Link href="/operator">← {desk.allConcerts}</Link>
      </p>
      <Loading of={concert}>
        {(value) => (
          <>
            <Head concert={value} />
            {children(value, (next) => concert.update(() => next))}
          </>
        )}
      </Loading>
    </div>
  );
}
