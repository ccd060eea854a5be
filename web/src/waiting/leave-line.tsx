import { api } from '../api/index.js';
import { navigate } from '../app/router.js';
import { toast } from '../app/toasts.js';
import { useText } from '../i18n/index.js';
import { places } from '../session/index.js';
import { ConfirmButton } from '../ui/index.js';

interface Props {
  readonly concertId: string;
  readonly token: string;
  readonly rank: string;
}

/** Giving a place up cannot be undone: it is asked twice. */
export function LeaveLine({ concertId, token, rank }: Props) {
  const { waiting: text } = useText();
  const leave = async (): Promise<void> => {
    await api.del('/queue-tokens/me', { token });
    navigate(`/concerts/${concertId}`, { replace: true });
    places.forget(concertId);
    toast(text.left);
  };
  return (
    <ConfirmButton
      label={text.leave}
      title={text.leaveTitle}
      keep={text.stay}
      keepTone="primary"
      yes={text.leaveSure}
      isGrave
      work={leave}
    >
      <p>{text.leaveText(rank)}</p>
    </ConfirmButton>
  );
}
