import { lazy, type ReactNode, Suspense } from 'react';
import { CheckoutPage } from '../booking/checkout-page.js';
import { DatesPage } from '../booking/dates-page.js';
import { ReceiptPage } from '../booking/receipt-page.js';
import { ConcertPage } from '../concerts/concert-page.js';
import { Home } from '../concerts/home.js';
import { MinePage } from '../mine/mine-page.js';
import { NotFound } from '../pages/not-found.js';
import { SignIn } from '../pages/sign-in.js';
import { Spinner } from '../ui/index.js';
import { WaitingPage } from '../waiting/waiting-page.js';
import { match, useRoute } from './router.js';

/** A fan's browser does not load the promoter's part. */
const Operator = lazy(() => import('../operator/index.js'));

/** Nobody needs the seat map before they are let in. */
const SeatsPage = lazy(() => import('../booking/seats-page.js'));

type Params = Readonly<Record<string, string>>;

/** Every page by its address; the first that matches is shown. */
const PAGES: readonly (readonly [pattern: string, page: (params: Params) => ReactNode])[] = [
  ['/', () => <Home />],
  ['/sign-in', () => <SignIn isNew={false} />],
  ['/sign-up', () => <SignIn isNew />],
  ['/mine', () => <MinePage />],
  ['/concerts/:id', ({ id = '' }) => <ConcertPage id={id} />],
  ['/concerts/:id/waiting', ({ id = '' }) => <WaitingPage id={id} />],
  ['/concerts/:id/dates', ({ id = '' }) => <DatesPage id={id} />],
  [
    '/concerts/:id/dates/:scheduleId',
    ({ id = '', scheduleId = '' }) => <SeatsPage concertId={id} scheduleId={scheduleId} />,
  ],
  ['/checkout/:id', ({ id = '' }) => <CheckoutPage id={id} />],
  ['/receipts/:id', ({ id = '' }) => <ReceiptPage id={id} />],
];

function pageAt(path: string): ReactNode {
  if (path === '/operator' || path.startsWith('/operator/')) return <Operator />;
  for (const [pattern, page] of PAGES) {
    const params = match(pattern, path);
    if (params) return page(params);
  }
  return <NotFound />;
}

export function Pages() {
  const { path } = useRoute();
  return <Suspense fallback={<Spinner />}>{pageAt(path)}</Suspense>;
}
