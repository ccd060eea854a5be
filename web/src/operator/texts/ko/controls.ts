import type { OperatorText } from '../operator-text.js';

export const controls: OperatorText['controls'] = {
  title: '예매 제어',
  hint: '모든 변경은 즉시, 모두에게 적용됩니다.',
  pause: '입장 중지',
  resume: '입장 재개',
  pausedNow:
    '입장 중지: 아무도 입장하지 않습니다. 대기 순번은 유지되고, 이미 입장한 관객은 계속 예매할 수 있습니다.',
  runningNow: '예매 중: 빈자리가 생기는 대로 입장합니다.',
  closedNow: '예매가 종료되었습니다. 대기하거나 입장할 수 없습니다.',
  beforeNow: '아직 예매가 시작되지 않았습니다.',
  endSale: '예매 종료',
  editTimes: '예매 기간 변경',
  change: '변경',
  moreRules: '그 밖의 규칙',
  askPause: '입장을 중지할까요?',
  pauseConsequence: (waiting, active) =>
    `지금부터 아무도 입장하지 않습니다. 대기 중인 ${waiting}명의 순번은 유지되고, 이미 입장한 ${active}명은 예매를 마칠 수 있습니다.`,
  askResume: '입장을 재개할까요?',
  resumeConsequence: (waiting) => `대기 순서대로 바로 입장이 재개됩니다. (대기 ${waiting}명)`,
  askEnd: '지금 예매를 종료할까요?',
  endConsequence: (waiting) =>
    `지금부터 대기, 입장, 좌석 선택을 할 수 없습니다. 대기 중인 ${waiting}명은 예매하지 못하고 대기가 종료됩니다.`,
  endUnpaid: (active) =>
    `입장한 ${active}명은 더 이상 결제할 수 없고, 결제하지 않은 좌석은 선점이 해제됩니다.`,
  endHeld: '이미 선점한 좌석은 남은 시간 안에 결제할 수 있습니다.',
  endUndo:
    '‘정보’에서 예매 종료 시각을 뒤로 바꾸면 다시 열 수 있습니다. 대기하던 관객은 처음부터 다시 대기해야 합니다.',
  notice: '대기실 공지',
  noticeHint: (max) =>
    `대기실의 모든 관객에게 바로 표시됩니다. 서식 없이 ${max}자까지 입력할 수 있으며, 한 언어만 입력하면 모두에게 그 공지가 표시됩니다.`,
  noticeIn: { ko: '한국어 공지', en: '영어 공지' },
  postNotice: '공지 등록',
  removeNotice: '공지 삭제',
  noticePosted: '공지를 등록했습니다. 대기 중인 모두에게 바로 표시됩니다.',
  noticeRemoved: '공지를 삭제했습니다.',
  askChange: '규칙을 변경할까요?',
  ruleChange: (field, from, to) => `${field}: ${from} → ${to}`,
  takesEffect: '즉시 적용됩니다.',
  cancel: '그대로 두기',
  confirmPause: '지금 중지하기',
  confirmResume: '지금 재개하기',
  confirmEnd: '지금 종료하기',
  confirmChange: '지금 변경하기',
  done: '적용했습니다.',
  unchanged: '변경된 내용이 없습니다.',
};
