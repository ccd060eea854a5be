import { api } from '../api/index.js';
import { useText } from '../i18n/index.js';
import { Notice, useLoaded, useVisibleInterval } from '../ui/index.js';

/** Rarely: everyone who waits asks. */
const NOTICE_REFRESH_MS = 120_000;

/** What the promoter tells those who wait, if anything. */
export function QueueNotice({ concertId }: { readonly concertId: string }) {
  const { waiting: text } = useText();
  const overview = useLoaded(`notice ${concertId}`, (signal) =>
    api.get('/concerts/{id}/overview', { params: { id: concertId }, signal }),
  );
  useVisibleInterval(NOTICE_REFRESH_MS, overview.reload);
  const notice = overview.value?.notice ?? null;
  if (notice === null) return null;
  return (
    <Notice title={text.noticeTitle}>
      <p className="queue-notice">{notice}</p>
    </Notice>
  );
}
