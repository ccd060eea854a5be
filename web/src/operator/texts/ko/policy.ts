import type { OperatorText } from '../operator-text.js';

export const policy: OperatorText['policy'] = {
  maxActive: '동시 입장 인원',
  maxActiveHint: '입장한 관객만 좌석을 선택하고 결제할 수 있습니다. 나머지는 대기합니다.',
  noLimit: '제한 없음',
  batches: '일정 간격으로 나누어 입장',
  batchesHint:
    '끄면 빈자리가 생기는 즉시 입장합니다. 켜면 정한 간격마다 정한 인원만 입장하여 부하가 일정합니다.',
  admitCount: '1회 입장 인원',
  admitEverySeconds: '입장 간격 (초)',
  activeMinutes: '입장 유지 시간 (분)',
  activeHint: '이 시간 안에 예매하지 않으면 퇴장하며, 다시 대기할 수 있습니다.',
  idleMinutes: '활동이 없을 때 퇴장 (분)',
  idleHint: '이 시간 동안 활동이 없으면 다음 사람이 입장합니다.',
  idleOff: '활동이 없어도 퇴장시키지 않음',
  showUpMinutes: '입장 확인 시간 (분)',
  showUpHint: '차례가 된 뒤 이 시간 안에 활동이 없으면(창을 닫은 경우 등) 다음 사람이 입장합니다.',
  showUpOff: '나타나지 않아도 자리를 유지',
  consumeOn: '입장 종료 조건',
  consumeOnHint: '이후 더 예매하려면 다시 대기해야 합니다.',
  consume: { PAYMENT: '결제 완료 시', RESERVATION: '좌석 선점 시' },
  holdMinutes: '결제 제한 시간 (분)',
  holdHint: '이 시간 동안 좌석이 선점되며, 결제하지 않으면 해제됩니다.',
  maxSeatsPerUser: '회차당 1인 최대 매수',
  closeWhenSoldOut: '매진되면 대기 종료',
  closeWhenSoldOutHint: '끄면 취소표를 기다릴 수 있도록 대기열을 유지합니다.',
  startPaused: '입장을 중지한 상태로 시작 (재개할 때까지 아무도 입장하지 않습니다)',
};
