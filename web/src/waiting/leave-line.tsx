import { useState } from 'react';
import { api } from '../api/index.js';
import { navigate } from '../app/router.js';
import { toast } from '../app/toasts.js';
import { useText } from '../i18n/index.js';
import { places } from '../session/index.js';
import { Button, Dialog, Failure, useAction } from '../ui/index.js';

interface Props {
  readonly concertId: string;
  readonly token: string;
  readonly rank: string;
}

/** Giving a place up cannot be undone: it is asked twice. */
export function LeaveLine({ concertId, token, rank }: Props) {
  const { waiting: text } = useText();
  const [asking, setAsking] = useState(false);
  const leave = useAction(async () => {
    await api.del('/queue-tokens/me', { token });
    navigate(`/concerts/${concertId}`, { replace: true });
    places.forget(concertId);
    toast(text.left);
  });
  return (
    <>
      <Button tone="quiet" onClick={() => setAsking(true)}>
        {text.leave}
      </Button>
      {asking && (
        <Dialog
          title={text.leaveTitle}
          onClose={() => setAsking(false)}
          actions={
            <>
              <Button onClick={() => setAsking(false)}>{text.stay}</Button>
              <Button tone="danger" busy={leave.busy} onClick={() => leave.run()}>
                {text.leaveSure}
              </Button>
            </>
          }
        >
          <p>{text.leaveText(rank)}</p>
          {leave.error !== undefined && <Failure error={leave.error} />}
        </Dialog>
      )}
    </>
  );
}
