let audio: AudioContext | undefined;

/** Three rising notes, soft at both ends. */
const NOTES_HZ = [523.25, 659.25, 783.99];
const NOTE_SECONDS = 0.22;

function play(context: AudioContext): void {
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

/** Calls a fan who looks elsewhere. Nothing depends on it: a browser that forbids it forbids it. */
export const bell = {
  /** To be called within a press or a key: only then do browsers allow sound later. */
  prime(): void {
    audio ??= new AudioContext();
    if (audio.state === 'suspended') audio.resume().catch(() => undefined);
  },

  ring(): void {
    if (audio) play(audio);
  },

  /** Whether notifications may be shown, or asked for; undefined where there are none. */
  permission: (): NotificationPermission | undefined =>
    'Notification' in window ? Notification.permission : undefined,

  async ask(): Promise<NotificationPermission | undefined> {
    return 'Notification' in window ? Notification.requestPermission() : undefined;
  },

  notify(title: string, body: string): void {
    if (bell.permission() !== 'granted') return;
    try {
      const shown = new Notification(title, { body, tag: 'foyer-turn' });
      shown.onclick = () => {
        window.focus();
        shown.close();
      };
    } catch {
      // Some phones show notifications of installed apps only; the sound was played.
    }
  },
};
