import { type SubmitEvent, useState } from 'react';
import { postOperatorOperatorsLimits } from '../../api/generated/limits.js';
import { toast } from '../../app/toasts.js';
import { useText } from '../../i18n/index.js';
import { looksLikeEmail } from '../../session/index.js';
import { Button, ErrorNotice, Field, useAction } from '../../ui/index.js';
import { operatorApi } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';

const LIMITS = postOperatorOperatorsLimits.body;

export function InviteForm({ onInvited }: { readonly onInvited: () => void }) {
  const { account } = useText();
  const { team } = useOperatorText();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [errors, setErrors] = useState<{ email?: string; name?: string }>({});
  const invitation = useAction(async () => {
    const invited = await operatorApi.inviteOperator({ email: email.trim(), name: name.trim() });
    toast(team.invited(invited.email), 'good');
    setEmail('');
    setName('');
    onInvited();
  });

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const found = {
      ...(!looksLikeEmail(email) && { email: account.emailInvalid }),
      ...(name.trim() === '' && { name: account.nameMissing }),
    };
    setErrors(found);
    if (Object.keys(found).length === 0) invitation.run();
  }

  return (
    <form className="card stack" noValidate onSubmit={submit}>
      <h2>{team.inviteTitle}</h2>
      <p className="soft">{team.inviteHint}</p>
      <div className="op-list-tools">
        <Field
          label={team.name}
          autoComplete="off"
          maxLength={LIMITS.name.maxLength}
          value={name}
          onChange={setName}
          error={errors.name}
        />
        <Field
          label={team.email}
          type="email"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={LIMITS.email.maxLength}
          value={email}
          onChange={setEmail}
          error={errors.email}
        />
        <Button type="submit" busy={invitation.busy}>
          {team.invite}
        </Button>
      </div>
      {invitation.error !== undefined && <ErrorNotice error={invitation.error} />}
    </form>
  );
}
