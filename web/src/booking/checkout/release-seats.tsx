import { api, type Reservation } from '../../api/index.js';
import { toast } from '../../app/toasts.js';
import { useText } from '../../i18n/index.js';
import { ConfirmButton } from '../../ui/index.js';
import { myHolds } from '../my-holds.js';

/** Releases held seats before the hold expires. */
export function ReleaseSeats({
  reservation,
  token,
  label,
  onReleased,
}: {
  readonly reservation: Reservation;
  readonly token: string;
  /** Where there is room for one word only. */
  readonly label?: string;
  readonly onReleased: () => void;
}) {
  const { checkout: text } = useText();
  const { id } = reservation;
  const release = async (): Promise<void> => {
    await api.del('/reservations/{id}', { params: { id }, token });
    myHolds.remove(id);
    toast(text.released);
    onReleased();
  };
  return (
    <ConfirmButton
      label={label ?? text.release}
      title={text.releaseTitle}
      cancelLabel={text.keep}
      cancelTone="primary"
      confirmLabel={text.release}
      isDestructive
      action={release}
    >
      <p>{text.releaseText}</p>
    </ConfirmButton>
  );
}
