import { useEffect, useEffectEvent, useRef } from 'react';
import { api, type QueueToken } from '../api/index.js';
import { Link } from '../app/link.js';
import { toast } from '../app/toasts.js';
import { useActivePlace } from '../booking/use-active-place.js';
import { useFormat, useText } from '../i18n/index.js';
import { places } from '../session/index.js';
import { Countdown, useLoaded } from '../ui/index.js';
import { admissionAlert } from '../waiting/admission-alert.js';
import { useEstimate } from '../waiting/use-estimate.js';
import { BarRow } from './bar-row.js';
import { urgencyOf } from './urgency.js';

interface Props {
  readonly concertId: string;
  readonly token: string;
  readonly onUrgency: (urgency: number | undefined) => void;
}

/** Endings that the fan has to know about; after a payment or leaving there is nothing to tell. */
const TOLD = new Set(['EXPIRED', 'CLOSED']);

/** A place in a queue: waiting, admitted, or ended while the fan was elsewhere. */
export function PlaceRow({ concertId, token, onUrgency }: Props) {
  const { placeBar: text } = useText();
  const { place, ended } = useActivePlace(token);
  const isForgotten = ended !== undefined && !TOLD.has(ended.reason);
  useEffect(() => {
    if (isForgotten) places.remove(concertId);
  }, [isForgotten, concertId]);
  const concert = useLoaded(`concert ${concertId}`, (signal) =>
    api.get('/concerts/{id}', { params: { id: concertId }, signal }),
  );
  const title = concert.value?.title;
  useAdmissionAlert(concertId, title, place?.status);
  const hasEnded = ended !== undefined && !isForgotten;
  const urgency = urgencyOf(place, hasEnded);
  const reportUrgency = useEffectEvent(onUrgency);
  useEffect(() => reportUrgency(urgency), [urgency]);

  if (hasEnded) {
    return (
      <BarRow
        title={title}
        actions={
          <Link className="button button-quiet" href={`/concerts/${concertId}/waiting`}>
            {text.details}
          </Link>
        }
      >
        {text.ended}
      </BarRow>
    );
  }
  if (place?.status === 'WAITING') return <WaitingRow {...{ concertId, title, place }} />;
  if (place?.status !== 'ACTIVE') return null;
  return (
    <BarRow
      title={title}
      time={place.expiresAt !== null && <Countdown until={place.expiresAt} label={text.timeToBook} />}
      actions={
        <Link className="button button-primary" href={`/concerts/${concertId}/dates`}>
          {text.choose}
        </Link>
      }
    >
      {text.yourTurn}
    </BarRow>
  );
}

interface WaitingProps {
  readonly concertId: string;
  readonly title: string | undefined;
  readonly place: QueueToken;
}

function WaitingRow({ concertId, title, place }: WaitingProps) {
  const { placeBar: text, waiting } = useText();
  const format = useFormat();
  const estimate = useEstimate(place);
  return (
    <BarRow
      title={title}
      time={<span className="place-bar-estimate">{estimate}</span>}
      actions={
        <Link className="button button-primary" href={`/concerts/${concertId}/waiting`}>
          {text.toWaitingRoom}
        </Link>
      }
    >
      {waiting.tabTitle(format.number(place.rank))}
    </BarRow>
  );
}

/** The turn may come while the fan reads another page, and for one of several concerts. */
function useAdmissionAlert(
  concertId: string,
  title: string | undefined,
  status: QueueToken['status'] | undefined,
): void {
  const { waiting: text } = useText();
  const wasWaiting = useRef(false);
  const announce = useEffectEvent(() => {
    const body = title === undefined ? text.admitted : text.admittedBody(title);
    admissionAlert.announce(concertId, text.admittedTitle, body);
    toast(body, 'good');
  });
  useEffect(() => {
    if (status === 'ACTIVE' && wasWaiting.current) announce();
    wasWaiting.current = status === 'WAITING';
  }, [status]);
}
