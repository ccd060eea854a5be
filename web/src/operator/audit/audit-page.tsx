import { useFormat } from '../../i18n/index.js';
import { usePagedList } from '../../ui/index.js';
import { operatorApi, type OperatorConcertDetails } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';
import { AuditList } from './audit-list.js';

/** The audit log of a concert. */
export function AuditPage({ concert }: { readonly concert: OperatorConcertDetails }) {
  const { general } = useOperatorText();
  const format = useFormat();
  const list = usePagedList(`audit ${concert.id}`, (page, signal) =>
    operatorApi.audit(concert.id, page, signal),
  );
  return (
    <section className="stack" aria-label={general.audit}>
      <AuditList list={list} money={(amount) => format.money(amount, concert.currency)} />
    </section>
  );
}
