let audio: AudioContext | undefined;

/** Three rising notes. */
const NOTES_HZ = [523.25, 659.25, 783.99];
const NOTE_SECONDS = 0.22;

function playChime(context: AudioContext): void {
  NOTES_HZ.forEach((hz, index) => {
    const startsAt = context.currentTime + index * NOTE_SECONDS;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = hz;
    volume.gain.setValueAtTime(0, startsAt);
    volume.gain.linearRampToValueAtTime(0.2, startsAt + 0.03);
    volume.gain.exponentialRampToValueAtTime(0.001, startsAt + NOTE_SECONDS * 2);
    tone.connect(volume).connect(context.destination);
    tone.start(startsAt);
    tone.stop(startsAt + NOTE_SECONDS * 2);
  });
}

/** Longer than the tabs are apart that learn of one admission: a hidden tab polls every 20 seconds. */
const CHIME_LOCK_MS = 30_000;

/** Runs `work` unless another tab did a moment ago. Without the Web Locks API (pages without TLS), every tab runs it. */
function runInFirstTab(name: string, work: () => void): void {
  if (!('locks' in navigator)) {
    work();
    return;
  }
  const runIfFirst = async (lock: Lock | null): Promise<void> => {
    if (!lock) return;
    work();
    await new Promise((resolve) => setTimeout(resolve, CHIME_LOCK_MS));
  };
  navigator.locks.request(name, { ifAvailable: true }, runIfFirst).catch(() => undefined);
}

/** Sound and notification for a fan who is admitted while looking elsewhere. Optional: a browser may block both. */
export const admissionAlert = {
  /** Must be called from a user gesture: browsers allow sound only after that. */
  unlockSound(): void {
    audio ??= new AudioContext();
    if (audio.state === 'suspended') audio.resume().catch(() => undefined);
  },

  /** The notification permission; undefined if the browser has no notifications. */
  permission: (): NotificationPermission | undefined =>
    'Notification' in window ? Notification.permission : undefined,

  async requestPermission(): Promise<NotificationPermission | undefined> {
    return 'Notification' in window ? Notification.requestPermission() : undefined;
  },

  /** A sound in one tab, and a notification if the page is hidden. */
  announce(concertId: string, title: string, body: string): void {
    const context = audio;
    if (context?.state === 'running') runInFirstTab(`foyer.chime.${concertId}`, () => playChime(context));
    if (document.hidden) notify(title, body);
  },
};

function notify(title: string, body: string): void {
  if (admissionAlert.permission() !== 'granted') return;
  try {
    const shown = new Notification(title, { body, tag: 'foyer-admission' });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // Some phones allow notifications for installed apps only. The sound was played anyway.
  }
}
