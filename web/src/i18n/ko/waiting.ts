import type { Dictionary } from '../dictionary.js';

export const waiting: Dictionary['waiting'] = {
  title: '대기실',
  joining: '순번을 받는 중…',
  rankLabel: '나의 대기 순번',
  rank: (n) => `${n}번`,
  tabTitle: (n) => `대기 ${n}번`,
  ahead: '내 앞 대기 인원',
  estimate: '예상 대기 시간',
  estimateUnknown: '아직 알 수 없음',
  estimatePaused: '입장 중지',
  pausedTitle: '입장이 일시적으로 중지되었습니다',
  pausedText:
    '지금은 아무도 입장하지 않습니다. 순번은 그대로 유지되며, 재개되면 이 화면에서 자동으로 이어집니다.',
  estimateSoon: '1분 이내',
  about: (time) => `약 ${time}`,
  progress: '진행 상황',
  updated: (time) => `마지막 갱신 ${time}`,
  live: '실시간',
  polling: '주기적으로 확인 중',
  connecting: '연결 중…',
  lost: '연결이 끊겼습니다. 순번은 그대로이며 계속 다시 연결하고 있습니다.',
  noticeTitle: '공지',
  nextTitle: '이렇게 진행됩니다',
  nextSteps: [
    '순서가 되면 자동으로 예매 화면으로 이동합니다.',
    '좌석을 선택하면 몇 분 동안 결제하실 수 있습니다.',
    '새로고침하거나 창을 닫거나 기기를 바꿔도 로그인하면 대기 순번이 유지됩니다.',
  ],
  leave: '대기열에서 나가기',
  leaveTitle: '대기 순번을 포기하시겠습니까?',
  leaveText: (rank) =>
    `지금 ${rank}번입니다. 나가면 순번이 사라지고, 다시 참여하면 맨 뒤부터 기다려야 합니다.`,
  confirmLeave: '순번 포기하기',
  stay: '계속 기다리기',
  left: '대기열에서 나갔습니다.',
  notify: '차례가 되면 알림 받기',
  notifyOn: '차례가 되면 알림과 소리로 알려 드립니다.',
  notifyDenied: '브라우저에서 알림이 차단되어 있어 소리로 알려 드립니다.',
  admitted: '입장되었습니다! 좌석을 선택해 주세요.',
  admittedTitle: '차례가 되었습니다',
  admittedBody: (title) => `${title}: 입장되었습니다. 좌석을 선택해 주세요.`,
  endedTitle: '더 이상 유효하지 않은 대기 순번입니다',
  rejoin: '다시 예매하기',
  backToConcert: '콘서트 페이지로 돌아가기',
  timeToBook: '예매 가능 시간',
  closedTitle: '예매가 종료되었습니다',
  closedText:
    '차례가 오기 전에 예매가 종료되어 대기도 함께 종료되었습니다. 결제된 금액은 없으며, 이미 결제하신 예매는 그대로 유지됩니다.',
  soldOutTitle: '전석 매진되었습니다',
  soldOutText:
    '차례가 오기 전에 마지막 좌석이 판매되어 대기가 종료되었습니다. 추가로 결제된 금액은 없으며, 이미 결제하신 예매는 그대로 유지됩니다. 취소표가 나오면 콘서트 페이지에서 다시 참여하실 수 있습니다.',
  otherConcerts: '다른 콘서트 보기',
  soldOutInsideText:
    '방금 마지막 좌석이 판매되어 선택할 수 있는 좌석이 없습니다. 추가로 결제된 금액은 없으며, 이미 결제하신 예매는 그대로 유지됩니다. 취소표가 나오면 콘서트 페이지에서 다시 참여하실 수 있습니다.',
  closedInsideText:
    '더 이상 좌석을 예매할 수 없습니다. 추가로 결제된 금액은 없으며, 이미 결제하신 예매는 그대로 유지됩니다.',
  reopenedTitle: '대기가 종료되었습니다',
  reopenedText:
    '기다리시는 동안 대기가 종료되었지만, 지금 다시 예매할 수 있습니다. 원하시면 대기열에 다시 참여해 주세요.',
};
