import { type SubmitEvent, useState } from 'react';
import { patchOperatorConcertsByIdWaitingRoomLimits } from '../../api/generated/limits.js';
import { toast } from '../../app/toasts.js';
import { type Lang, LANGS } from '../../i18n/index.js';
import { Button, ErrorNotice, useAction } from '../../ui/index.js';
import { TextArea } from '../form/fields.js';
import { useValidators } from '../form/validators.js';
import { operatorApi, type OperatorConcertDetails, type Policy } from '../operator-api.js';
import { useOperatorText } from '../texts/index.js';

interface Props {
  readonly concert: OperatorConcertDetails;
  readonly onPolicy: (policy: Policy) => void;
}

const LIMITS = patchOperatorConcertsByIdWaitingRoomLimits.body.notice;

/** What is typed, by language. */
type Draft = Readonly<Record<Lang, string>>;

function toDraft(notice: Policy['notice']): Draft {
  if (notice === null || typeof notice === 'string') return { ko: notice ?? '', en: notice ?? '' };
  return { ko: notice.ko ?? '', en: notice.en ?? '' };
}

/** Null without any text; a single text if it is the same in both languages. */
function toNotice(draft: Draft): Policy['notice'] {
  const [ko, en] = [draft.ko.trim(), draft.en.trim()];
  if (ko === en) return ko === '' ? null : ko;
  return { ...(ko !== '' && { ko }), ...(en !== '' && { en }) };
}

/** Posts a message to everybody in the waiting room. Until something is typed, it shows what others post. */
export function NoticeForm({ concert, onPolicy }: Props) {
  const { controls } = useOperatorText();
  const { optionalText } = useValidators();
  const [typed, setTyped] = useState<Draft>();
  const posted = concert.waitingRoom.notice;
  const draft = typed ?? toDraft(posted);
  const notice = toNotice(draft);
  const isPosted = JSON.stringify(notice) === JSON.stringify(posted);
  const errors = { ko: optionalText(draft.ko, LIMITS.ko), en: optionalText(draft.en, LIMITS.en) };
  const post = useAction(async (next: Policy['notice']) => {
    onPolicy(await operatorApi.changePolicy(concert.id, { notice: next }));
    setTyped(undefined);
    toast(next === null ? controls.noticeRemoved : controls.noticePosted, 'good');
  });

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (errors.ko === undefined && errors.en === undefined && !isPosted) post.run(notice);
  }
  return (
    <form className="stack-small op-notice" noValidate onSubmit={submit}>
      <h3>{controls.notice}</h3>
      <p className="soft small">{controls.noticeHint(LIMITS.maxLength)}</p>
      {LANGS.map((lang) => (
        <TextArea
          key={lang}
          label={controls.noticeIn[lang]}
          rows={2}
          value={draft[lang]}
          onChange={(text) => setTyped({ ...draft, [lang]: text })}
          error={errors[lang]}
        />
      ))}
      {post.error !== undefined && <ErrorNotice error={post.error} />}
      <div className="row">
        <Button type="submit" tone="quiet" busy={post.busy} disabled={isPosted}>
          {controls.postNotice}
        </Button>
        {posted !== null && (
          <Button tone="quiet" disabled={post.busy} onClick={() => post.run(null)}>
            {controls.removeNotice}
          </Button>
        )}
      </div>
    </form>
  );
}
