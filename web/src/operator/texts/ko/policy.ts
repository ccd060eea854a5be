import type { OperatorText } from '../operator-text.js';

export const policy: OperatorText['policy'] = {
  maxActive: '동시 입장 인원',
  maxActiveHint: '입장하면 좌석을 고르고 결제할 수 있습니다. 나머지는 줄에서 기다립니다.',
  noLimit: '제한 없음',
  batches: '나누어 입장시키기',
  batchesHint: '끄면 자리가 나는 즉시 들어옵니다. 켜면 정한 간격마다 정한 인원만 들어와 부하가 고릅니다.',
  admitCount: '한 번에 들어올 인원',
  admitEverySeconds: '입장 간격 (초)',
  activeSeconds: '입장 유지 시간 (초)',
  activeSecondsHint: '이 안에 예매하지 않으면 퇴장하며, 다시 줄을 설 수 있습니다.',
  idleSeconds: '활동이 없을 때 퇴장 (초)',
  idleSecondsHint: '이만큼 아무것도 하지 않으면 다음 사람에게 자리를 내줍니다.',
  idleOff: '활동이 없어도 퇴장시키지 않음',
  showUpSeconds: '입장 확인 시간 (초)',
  showUpSecondsHint:
    '차례가 되었는데 이 시간 안에 아무것도 하지 않으면(닫힌 창 등) 다음 사람에게 자리를 내줍니다.',
  showUpOff: '나타나지 않아도 자리를 유지',
  consumeOn: '입장이 끝나는 때',
  consumeOnHint: '그 뒤에 더 예매하려면 다시 줄을 서야 합니다.',
  consume: { PAYMENT: '결제하면', RESERVATION: '좌석을 예약하면' },
  holdSeconds: '결제 제한 시간 (초)',
  holdSecondsHint: '이 동안 좌석을 잡아 두며, 결제하지 않으면 풀립니다.',
  maxSeatsPerUser: '1인당 회차별 최대 좌석',
  closeWhenSoldOut: '매진되면 대기 종료',
  closeWhenSoldOutHint: '끄면 취소 표를 기다릴 수 있도록 줄을 유지합니다.',
  startPaused: '멈춘 채로 시작: 재개할 때까지 아무도 입장시키지 않기',
};
