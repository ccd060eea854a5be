import { lazy, type ReactNode, Suspense } from 'react';
import { CheckoutPage } from '../booking/checkout/checkout-page.js';
import { DatesPage } from '../booking/dates-page.js';
import { ReceiptPage } from '../booking/checkout/receipt-page.js';
import { ConcertPage } from '../concerts/concert-page.js';
import { ConcertsPage } from '../concerts/concerts-page.js';
import { ForgotPasswordPage } from '../mailed-links/forgot-password-page.js';
import { SetPasswordPage } from '../mailed-links/set-password-page.js';
import { VerifyEmailPage } from '../mailed-links/verify-email-page.js';
import { MyTicketsPage } from '../my-tickets/my-tickets-page.js';
import { NotFound } from './not-found.js';
import { AccountPage } from '../session/account-page.js';
import { SignInPage } from '../session/sign-in-page.js';
import { Spinner } from '../ui/index.js';
import { WaitingPage } from '../waiting/waiting-page.js';
import { matchPath, useRoute } from './router.js';

/** Lazy: fans do not download the promoter's pages. */
const Operator = lazy(() => import('../operator/index.js'));

/** Lazy: the seat map is only needed after admission. */
const SeatsPage = lazy(() => import('../booking/seats/seats-page.js'));

type Params = Readonly<Record<string, string>>;

/** All pages by path pattern; the first match is shown. */
const PAGES: readonly (readonly [pattern: string, page: (params: Params) => ReactNode])[] = [
  ['/', () => <ConcertsPage />],
  ['/sign-in', () => <SignInPage isNew={false} />],
  ['/sign-up', () => <SignInPage isNew />],
  ['/forgot-password', () => <ForgotPasswordPage />],
  ['/reset-password', () => <SetPasswordPage isInvitation={false} />],
  ['/accept-invitation', () => <SetPasswordPage isInvitation />],
  ['/verify-email', () => <VerifyEmailPage />],
  ['/mine', () => <MyTicketsPage />],
  ['/account', () => <AccountPage />],
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
    const params = matchPath(pattern, path);
    if (params) return page(params);
  }
  return <NotFound />;
}

export function Pages() {
  const { path } = useRoute();
  return <Suspense fallback={<Spinner />}>{pageAt(path)}</Suspense>;
}
