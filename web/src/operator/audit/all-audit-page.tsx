import { Link } from '../../app/link.js';
import { PageTitle } from '../../app/page-title.js';
import { useFormat } from '../../i18n/index.js';
import { usePagedList } from '../../ui/index.js';
import { type AuditEntry, operatorApi } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';
import { AuditList } from './audit-list.js';

function ConcertLink({ concert }: Pick<AuditEntry, 'concert'>) {
  if (concert === null) return null;
  return (
    <p className="small">
      <Link href={`/operator/concerts/${concert.id}/changes`}>{concert.title}</Link>
    </p>
  );
}

/** The audit log of the whole installation. */
export function AllAuditPage() {
  const { audit, general } = useOperatorText();
  const format = useFormat();
  const list = usePagedList('audit', (page, signal) => operatorApi.allAudit(page, signal));
  return (
    <div className="stack">
      <p className="small">
        <Link href="/operator">← {general.allConcerts}</Link>
      </p>
      <PageTitle title={audit.all}>{audit.all}</PageTitle>
      <p className="soft">{audit.allHint}</p>
      {/* Entries belong to concerts in different currencies, so an amount is shown as a plain number. */}
      <AuditList
        list={list}
        money={format.number}
        heading={({ concert }) => <ConcertLink concert={concert} />}
      />
    </div>
  );
}
