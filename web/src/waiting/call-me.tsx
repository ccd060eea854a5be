import { useEffect, useState } from 'react';
import { useText } from '../i18n/index.js';
import { Button } from '../ui/index.js';
import { bell } from './bell.js';

/** Offers to call the fan when it is their turn. Any press on the page allows the sound. */
export function CallMe() {
  const { waiting: text } = useText();
  const [permission, setPermission] = useState(bell.permission);
  useEffect(() => {
    const prime = (): void => bell.prime();
    document.addEventListener('pointerdown', prime, { once: true });
    document.addEventListener('keydown', prime, { once: true });
    return () => {
      document.removeEventListener('pointerdown', prime);
      document.removeEventListener('keydown', prime);
    };
  }, []);
  if (permission === undefined) return null;
  if (permission === 'granted') return <p className="soft small">{text.notifyOn}</p>;
  if (permission === 'denied') return <p className="soft small">{text.notifyDenied}</p>;
  const ask = (): void => {
    bell.prime();
    bell.ask().then(setPermission, () => setPermission('denied'));
  };
  return (
    <Button tone="quiet" onClick={ask}>
      {text.notify}
    </Button>
  );
}
