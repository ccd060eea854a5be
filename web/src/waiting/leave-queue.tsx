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

/** Leaving cannot be undone, so it asks for confirmation. */
export function LeaveQueue({ concertId, token, rank }: Props) {
  const { waiting: text } = useText();
  const leave = async (): Promise<void> => {
    await api.del('/queue-tokens/me', { token });
    navigate(`/concerts/${concertId}`, { replace: true });
    places.remove(concertId);
    toast(text.left);
  };
  return (
    <ConfirmButton
      label={text.leave}
      title={text.leaveTitle}
      cancelLabel={text.stay}
      cancelTone="primary"
      confirmLabel={text.confirmLeave}
      isDestructive
      action={leave}
    >
      <p>{text.leaveText(rank)}</p>
    </ConfirmButton>
  );
}
