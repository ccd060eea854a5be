import './styles/index.css';
import type { ReactNode } from 'react';
import { matchPath, useRoute } from '../app/router.js';
import { NotFound } from '../app/not-found.js';
import { AllAuditPage } from './audit/all-audit-page.js';
import { AuditPage } from './audit/audit-page.js';
import { ConcertLayout } from './concert-layout.js';
import { ConcertListPage } from './concert-list-page.js';
import { DraftPage } from './draft/draft-page.js';
import { EditConcertPage } from './form/edit-concert-page.js';
import { NewConcertPage } from './form/new-concert-page.js';
import { LivePage } from './live/live-page.js';
import { MailboxPage } from './team/mailbox-page.js';
import { OperatorsPage } from './team/operators-page.js';
import { ReportPage } from './report/report-page.js';
import { RequireOperator } from './require-operator.js';
import { PaymentsPage } from './sales/payments-page.js';
import { ReservationsPage } from './sales/reservations-page.js';

/** The pages of one concert by path pattern. */
const CONCERT_PAGES: readonly (readonly [pattern: string, page: (id: string) => ReactNode])[] = [
  [
    '/operator/concerts/:id',
    (id) => (
      <ConcertLayout id={id}>
        {(concert, onChanged) =>
          concert.draft ? (
            <DraftPage key={id} concert={concert} onChanged={onChanged} />
          ) : (
            <LivePage key={id} concert={concert} onChanged={onChanged} />
          )
        }
      </ConcertLayout>
    ),
  ],
  [
    '/operator/concerts/:id/details',
    (id) => (
      <ConcertLayout id={id}>
        {(concert, onChanged) => <EditConcertPage key={id} concert={concert} onChanged={onChanged} />}
      </ConcertLayout>
    ),
  ],
  [
    '/operator/concerts/:id/reservations',
    (id) => (
      <ConcertLayout id={id}>{(concert) => <ReservationsPage key={id} concert={concert} />}</ConcertLayout>
    ),
  ],
  [
    '/operator/concerts/:id/payments',
    (id) => <ConcertLayout id={id}>{(concert) => <PaymentsPage key={id} concert={concert} />}</ConcertLayout>,
  ],
  [
    '/operator/concerts/:id/report',
    (id) => <ConcertLayout id={id}>{(concert) => <ReportPage key={id} concert={concert} />}</ConcertLayout>,
  ],
  [
    '/operator/concerts/:id/changes',
    (id) => <ConcertLayout id={id}>{(concert) => <AuditPage key={id} concert={concert} />}</ConcertLayout>,
  ],
];

function pageAt(path: string): ReactNode {
  if (matchPath('/operator', path)) return <ConcertListPage />;
  if (matchPath('/operator/new', path)) return <NewConcertPage />;
  if (matchPath('/operator/operators', path)) return <OperatorsPage />;
  if (matchPath('/operator/mailbox', path)) return <MailboxPage />;
  if (matchPath('/operator/audit', path)) return <AllAuditPage />;
  for (const [pattern, page] of CONCERT_PAGES) {
    const id = matchPath(pattern, path)?.['id'];
    if (id !== undefined) return page(id);
  }
  return <NotFound />;
}

/** The promoter's pages, loaded on demand. */
export default function Operator() {
  const { path } = useRoute();
  return <RequireOperator>{pageAt(path)}</RequireOperator>;
}
