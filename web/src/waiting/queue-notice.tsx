import type { QueueToken } from '../api/index.js';
import { type Lang, useLang, useText } from '../i18n/index.js';
import { Notice } from '../ui/index.js';

/** The text in this language, or else the only one that the promoter wrote. */
function noticeIn(lang: Lang, notice: QueueToken['notice']): string | undefined {
  if (notice === null || typeof notice === 'string') return notice ?? undefined;
  return notice[lang] ?? notice.ko ?? notice.en;
}

/** The promoter's message to waiting fans, if anything. It changes with the place. */
export function QueueNotice({ notice }: { readonly notice: QueueToken['notice'] }) {
  const { waiting: text } = useText();
  const shown = noticeIn(useLang(), notice);
  if (shown === undefined) return null;
  return (
    <Notice title={text.noticeTitle}>
      <p className="queue-notice">{shown}</p>
    </Notice>
  );
}
