import './styles/index.css';
import type { ReactNode } from 'react';
import { match, useRoute } from '../app/router.js';
import { NotFound } from '../pages/not-found.js';
import { AuditPage } from './audit/audit-page.js';
import { ConcertFrame } from './concert-frame.js';
import { ConcertList } from './concert-list.js';
import { EditConcert } from './form/edit-concert.js';
import { NewConcertPage } from './form/new-concert.js';
import { LivePage } from './live/live-page.js';
import { RequireOperator } from './require-operator.js';
import { Payments } from './sales/payments.js';
import { Reservations } from './sales/reservations.js';

/** The pages of one concert, by what follows its address. */
const CONCERT_PAGES: readonly (readonly [pattern: string, page: (id: string) => ReactNode])[] = [
  [
    '/operator/concerts/:id',
    (id) => (
      <ConcertFrame id={id}>
        {(concert, put) => <LivePage key={id} concert={concert} onChanged={put} />}
      </ConcertFrame>
    ),
  ],
  [
    '/operator/concerts/:id/details',
    (id) => (
      <ConcertFrame id={id}>
        {(concert, put) => <EditConcert key={id} concert={concert} onChanged={put} />}
      </ConcertFrame>
    ),
  ],
  [
    '/operator/concerts/:id/reservations',
    (id) => <ConcertFrame id={id}>{(concert) => <Reservations key={id} concert={concert} />}</ConcertFrame>,
  ],
  [
    '/operator/concerts/:id/payments',
    (id) => <ConcertFrame id={id}>{(concert) => <Payments key={id} concert={concert} />}</ConcertFrame>,
  ],
  [
    '/operator/concerts/:id/changes',
    (id) => <ConcertFrame id={id}>{(concert) => <AuditPage key={id} concert={concert} />}</ConcertFrame>,
  ],
];

function pageAt(path: string): ReactNode {
  if (match('/operator', path)) return <ConcertList />;
  if (match('/operator/new', path)) return <NewConcertPage />;
  for (const [pattern, page] of CONCERT_PAGES) {
    const id = match(pattern, path)?.['id'];
    if (id !== undefined) return page(id);
  }
  return <NotFound />;
}

/** The promoter's pages, loaded on their own. */
export default function Operator() {
  const { path } = useRoute();
  return <RequireOperator>{pageAt(path)}</RequireOperator>;
}
