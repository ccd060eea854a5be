import type { OperatorText } from '../operator-text.js';

export const controls: OperatorText['controls'] = {
  title: '조정',
  hint: '모든 변경은 즉시, 모두에게 적용됩니다.',
  pause: '입장 멈춤',
  resume: '입장 재개',
  pausedNow: '멈춤: 아무도 입장하지 않습니다. 줄의 순서는 그대로이고, 이미 입장한 사람은 계속할 수 있습니다.',
  runningNow: '진행 중: 자리가 나는 대로 입장합니다.',
  closedNow: '예매가 끝났습니다. 줄을 서거나 입장할 수 없습니다.',
  beforeNow: '아직 예매가 시작되지 않았습니다.',
  endSale: '예매 끝내기',
  editTimes: '예매 시간 바꾸기',
  change: '변경',
  moreRules: '그 밖의 규칙',
  askPause: '입장을 멈출까요?',
  pauseConsequence: (waiting, active) =>
    `지금부터 아무도 입장하지 않습니다. 줄에 있는 ${waiting}명의 순번은 그대로이고, 입장한 ${active}명은 예매를 마칠 수 있습니다.`,
  askResume: '입장을 재개할까요?',
  resumeConsequence: (waiting) => `줄 선 순서대로 바로 다시 입장합니다. (대기 ${waiting}명)`,
  askEnd: '지금 예매를 끝낼까요?',
  endConsequence: (waiting) =>
    `이 순간부터 줄을 서거나 입장하거나 좌석을 잡을 수 없습니다. 줄에 있는 ${waiting}명은 좌석 없이 돌아가게 됩니다.`,
  endUnpaid: (active) => `입장한 ${active}명은 더 이상 결제할 수 없고, 결제하지 않은 좌석은 풀립니다.`,
  endHeld: '이미 잡아 둔 좌석은 남은 시간 안에 결제할 수 있습니다.',
  endUndo:
    '‘정보’에서 종료 시각을 뒤로 바꾸면 다시 열 수 있습니다. 줄에 있던 사람은 처음부터 다시 줄을 서야 합니다.',
  askChange: '규칙을 바꿀까요?',
  ruleChange: (field, from, to) => `${field}: ${from} → ${to}`,
  takesEffect: '즉시 적용됩니다.',
  cancel: '그대로 두기',
  confirmPause: '지금 멈추기',
  confirmResume: '지금 재개하기',
  confirmEnd: '지금 끝내기',
  confirmChange: '지금 바꾸기',
  done: '적용했습니다.',
  unchanged: '바뀐 내용이 없습니다.',
};
