import { useEffect, useState } from 'react';
import { useText } from '../i18n/index.js';
import { Button } from '../ui/index.js';
import { admissionAlert } from './admission-alert.js';

/** Offers a notification on admission. The first press or key on the page unlocks the sound. */
export function NotifyMe() {
  const { waiting: text } = useText();
  const [permission, setPermission] = useState(admissionAlert.permission);
  useEffect(() => {
    const unlock = (): void => admissionAlert.unlockSound();
    document.addEventListener('pointerdown', unlock, { once: true });
    document.addEventListener('keydown', unlock, { once: true });
    return () => {
      document.removeEventListener('pointerdown', unlock);
      document.removeEventListener('keydown', unlock);
    };
  }, []);
  if (permission === undefined) return null;
  if (permission === 'granted') return <p className="soft small">{text.notifyOn}</p>;
  if (permission === 'denied') return <p className="soft small">{text.notifyDenied}</p>;
  const requestPermission = (): void => {
    admissionAlert.unlockSound();
    admissionAlert.requestPermission().then(setPermission, () => setPermission('denied'));
  };
  return (
    <Button tone="quiet" onClick={requestPermission}>
      {text.notify}
    </Button>
  );
}
