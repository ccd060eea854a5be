import { Link } from '../../app/link.js';
import { PageTitle } from '../../app/page-title.js';
import { useFormat } from '../../i18n/index.js';
import { Loading, LoadMoreButton, Notice, usePagedList } from '../../ui/index.js';
import { type MailEntry, operatorApi } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';

/** The outbox: the mails themselves if nothing is sent, and what became of them if they are sent by SMTP. */
export function MailboxPage() {
  const { general, mailbox } = useOperatorText();
  const mails = usePagedList('mailbox', operatorApi.mailbox);
  return (
    <div className="stack">
      <p>
        <Link href="/operator">{general.allConcerts}</Link>
      </p>
      <PageTitle title={mailbox.title}>{mailbox.title}</PageTitle>
      <Loading of={mails.loaded}>
        {() => (
          <>
            <Notice>{isSmtp(mails.loaded.value) ? mailbox.bySmtp : mailbox.notSent}</Notice>
            {mails.items.length === 0 && <p>{mailbox.none}</p>}
            <ul className="op-mails">
              {mails.items.map((mail) => (
                <MailView key={mail.id} mail={mail} />
              ))}
            </ul>
            <LoadMoreButton list={mails} />
          </>
        )}
      </Loading>
    </div>
  );
}

const isSmtp = (page: object | undefined): boolean =>
  page !== undefined && 'delivery' in page && page.delivery === 'SMTP';

function MailView({ mail: { to, subject, text, status, createdAt } }: { readonly mail: MailEntry }) {
  const { mailbox } = useOperatorText();
  const format = useFormat();
  return (
    <li className="card stack-small">
      <h2>{subject}</h2>
      <p className="soft small">
        {mailbox.to(to)} · {format.date(createdAt)} · <span className="tag">{mailbox.statuses[status]}</span>
      </p>
      {text !== null && <MailText text={text} />}
    </li>
  );
}

/** The text with its links, as a mail program shows it. */
function MailText({ text }: { readonly text: string }) {
  return (
    <p className="op-mail-text">
      {text.split(/(https?:\/\/\S+)/).map((part, index) =>
        /^https?:/.test(part) ? (
          <a key={index} href={part}>
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </p>
  );
}
