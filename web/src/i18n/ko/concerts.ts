import type { Dictionary } from '../dictionary.js';

export const concerts: Dictionary['concerts'] = {
  title: '콘서트',
  lead: '모두가 한 줄로, 온 순서대로 입장합니다. 새로고침해도 대기 순번은 그대로입니다.',
  none: '아직 콘서트가 없습니다.',
  noneHint: '곧 다시 찾아와 주세요.',
  onSale: '예매중',
  soldOut: '매진',
  closed: '판매 종료',
  opensIn: (time) => `${time} 뒤 오픈`,
  opensAt: (date) => `${date} 티켓 오픈`,
  where: '공연장',
  when: '공연 일시',
  prices: '티켓 가격',
  join: '예매하기',
  resume: '이어서 예매하기',
  soldOutHint: '전석 매진되었습니다. 취소표가 나오면 여기에 표시됩니다.',
  closedHint: '이 콘서트의 예매가 종료되었습니다.',
  beforeHint: '티켓 오픈 시각이 되면 버튼이 자동으로 열립니다. 새로고침해도 순번은 빨라지지 않습니다.',
  beReady: '미리 로그인해 두세요.',
  dateSoldOut: '매진',
};

export const dates: Dictionary['dates'] = {
  title: '회차 선택',
  remaining: (n, total) => `잔여 ${n}석 / 전체 ${total}석`,
  none: '예매할 수 있는 회차가 없습니다.',
  choose: '좌석 선택',
  fewLeft: '마감 임박',
  soldOut: '매진',
  allHeld: '모두 결제 진행 중',
  updated: '잔여 좌석은 자동으로 갱신됩니다.',
};
