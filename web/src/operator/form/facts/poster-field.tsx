import { useId, useState } from 'react';
import { Problem } from '../../../api/problem.js';
import { toast } from '../../../app/toasts.js';
import { Poster } from '../../../concerts/poster/poster.js';
import { Button, ErrorNotice, useAction } from '../../../ui/index.js';
import { operatorApi, type OperatorConcertDetails } from '../../operator-api.js';
import { useOperatorText } from '../../texts/index.js';

const POSTER_MAX_BYTES = 2 * 1024 * 1024;

interface Props {
  readonly concert: OperatorConcertDetails;
  readonly onChanged: (concert: OperatorConcertDetails) => void;
}

/** The poster as fans see it, with upload and removal. Both take effect at once. */
export function PosterField({ concert, onChanged }: Props) {
  const { facts: text } = useOperatorText();
  const id = useId();
  const [file, setFile] = useState<File>();
  const upload = useAction(async () => {
    if (!file) return;
    if (file.size > POSTER_MAX_BYTES) throw new Problem(413, 'IMAGE_TOO_LARGE');
    onChanged(await operatorApi.uploadPoster(concert.id, file));
    setFile(undefined);
    toast(text.posterSaved, 'good');
  });
  const remove = useAction(async () => {
    onChanged({ ...concert, ...(await operatorApi.removePoster(concert.id)) });
    toast(text.posterRemoved, 'good');
  });
  const error = upload.error ?? remove.error;
  return (
    <section className="card op-poster" aria-labelledby={`${id}-title`}>
      <Poster of={concert} alt={text.poster} />
      <div className="stack-small">
        <h2 id={`${id}-title`}>{text.poster}</h2>
        <p className="soft small">{concert.poster ? text.posterHint : text.posterNone}</p>
        <div className="field">
          <label htmlFor={id}>{text.choosePoster}</label>
          {/* The key empties the input after an upload. */}
          <input
            key={concert.poster?.path ?? ''}
            id={id}
            type="file"
            accept="image/png,image/jpeg,image/webp"
            onChange={({ target }) => setFile(target.files?.[0])}
          />
        </div>
        {error !== undefined && <ErrorNotice error={error} />}
        <div className="row">
          <Button disabled={!file} busy={upload.busy} onClick={upload.run}>
            {text.uploadPoster}
          </Button>
          {concert.poster && (
            <Button tone="quiet" busy={remove.busy} onClick={remove.run}>
              {text.removePoster}
            </Button>
          )}
        </div>
      </div>
    </section>
  );
}
