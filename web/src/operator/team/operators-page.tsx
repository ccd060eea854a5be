import { useState } from 'react';
import { Link } from '../../app/link.js';
import { PageTitle } from '../../app/page-title.js';
import { toast } from '../../app/toasts.js';
import { useFormat, useText } from '../../i18n/index.js';
import { useAccount } from '../../session/index.js';
import { ConfirmButton, Loading, LoadMoreButton, usePagedList } from '../../ui/index.js';
import { ColumnHeads } from '../column-heads.js';
import { operatorApi, type OperatorEntry } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';
import { InviteForm } from './invite-form.js';

/** All operators: invite another one, remove one. */
export function OperatorsPage() {
  const { general, team } = useOperatorText();
  // Starts the list over after a change.
  const [round, setRound] = useState(0);
  const operators = usePagedList(`operators ${round}`, operatorApi.operators);
  const reload = (): void => setRound((count) => count + 1);
  return (
    <div className="stack">
      <p>
        <Link href="/operator">{general.allConcerts}</Link>
      </p>
      <PageTitle title={team.title}>{team.title}</PageTitle>
      <InviteForm onInvited={reload} />
      <Loading of={operators.loaded}>
        {() => (
          <>
            <table className="op-table op-team">
              <ColumnHeads names={[team.name, team.email, team.status, team.since, team.action]} />
              <tbody>
                {operators.items.map((operator) => (
                  <OperatorRow key={operator.id} operator={operator} onRemoved={reload} />
                ))}
              </tbody>
            </table>
            <LoadMoreButton list={operators} />
          </>
        )}
      </Loading>
    </div>
  );
}

function OperatorRow({
  operator: { id, name, email, status, createdAt },
  onRemoved,
}: {
  readonly operator: OperatorEntry;
  readonly onRemoved: () => void;
}) {
  const { common } = useText();
  const { team } = useOperatorText();
  const format = useFormat();
  const isMe = useAccount()?.user.id === id;
  const isInvited = status === 'INVITED';
  return (
    <tr>
      <td data-head={team.name}>{name}</td>
      <td data-head={team.email}>{email}</td>
      <td data-head={team.status}>
        <span className={`tag ${isInvited ? 'tag-warn' : ''}`}>{team.statuses[status]}</span>
      </td>
      <td data-head={team.since}>{format.date(createdAt)}</td>
      <td data-head={team.action}>
        {isMe ? (
          team.you
        ) : (
          <ConfirmButton
            label={isInvited ? team.withdraw : team.remove}
            title={isInvited ? team.withdrawTitle(email) : team.removeTitle(name)}
            cancelLabel={common.cancel}
            confirmLabel={isInvited ? team.withdraw : team.remove}
            isDestructive
            action={async () => {
              await operatorApi.removeOperator(id);
              toast(isInvited ? team.withdrawn(email) : team.removed(name), 'good');
              onRemoved();
            }}
          >
            <p>{isInvited ? team.withdrawHint : team.removeHint}</p>
          </ConfirmButton>
        )}
      </td>
    </tr>
  );
}
