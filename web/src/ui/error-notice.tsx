import { useFormat, useText } from '../i18n/index.js';
import { Button } from './button.js';
import { Notice } from './notice.js';

/** Explains an error, with a retry button if there is something to retry. */
export function ErrorNotice({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}) {
  const { common } = useText();
  const format = useFormat();
  return (
    <Notice
      tone="bad"
      title={common.failed}
      actions={
        onRetry && (
          <Button tone="quiet" onClick={onRetry}>
            {common.retry}
          </Button>
        )
      }
    >
      {format.problem(error)}
    </Notice>
  );
}
