import { useState } from 'react';
import { api, type Reservation } from '../api/index.js';
import { navigate } from '../app/router.js';
import { toast } from '../app/toasts.js';
import { useText } from '../i18n/index.js';
import { Button, Dialog, Failure, useAction } from '../ui/index.js';

/** Gives held seats back before their time is up. */
export function Release({
  reservation,
  token,
}: {
  readonly reservation: Reservation;
  readonly token: string;
}) {
  const { checkout: text } = useText();
  const [asking, setAsking] = useState(false);
  const { id, concertId, scheduleId } = reservation;
  const release = useAction(async () => {
    await api.del('/reservations/{id}', { params: { id }, token });
    toast(text.released);
    navigate(`/concerts/${concertId}/dates/${scheduleId}`, { replace: true });
  });
  return (
    <>
      <Button tone="quiet" onClick={() => setAsking(true)}>
        {text.release}
      </Button>
      {asking && (
        <Dialog
          title={text.releaseTitle}
          onClose={() => setAsking(false)}
          actions={
            <>
              <Button onClick={() => setAsking(false)}>{text.keep}</Button>
              <Button tone="danger" busy={release.busy} onClick={() => release.run()}>
                {text.release}
              </Button>
            </>
          }
        >
          <p>{text.releaseText}</p>
          {release.error !== undefined && <Failure error={release.error} />}
        </Dialog>
      )}
    </>
  );
}
