import { useState } from 'react';
import { api } from '../api/index.js';
import { useText } from '../i18n/index.js';
import { Button, ErrorNotice, Notice, useAction, useLoaded } from '../ui/index.js';

/** Asks a fan whose address is not verified to verify it. Shows nothing otherwise. */
export function VerifyEmailHint({ token, userId }: { readonly token: string; readonly userId: string }) {
  const { mailedLinks: text } = useText();
  const [isSent, setIsSent] = useState(false);
  const me = useLoaded(`me ${userId}`, (signal) => api.get('/users/me', { token, signal }));
  const request = useAction(async () => {
    await api.post('/email-verifications', { token, body: {} });
    setIsSent(true);
  });
  if (me.value === undefined || me.value.emailVerified) return null;
  if (isSent) return <Notice tone="good">{text.verificationSent(me.value.email)}</Notice>;
  return (
    <Notice
      title={text.notVerified}
      actions={
        <Button tone="quiet" busy={request.busy} onClick={() => request.run()}>
          {text.sendVerification}
        </Button>
      }
    >
      {text.notVerifiedHint(me.value.email)}
      {request.error !== undefined && <ErrorNotice error={request.error} />}
    </Notice>
  );
}
