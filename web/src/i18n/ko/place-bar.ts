import type { Dictionary } from '../dictionary.js';

export const placeBar: Dictionary['placeBar'] = {
  held: (n, seats) => `${n}석 · ${seats}`,
  heldForYou: '내가 선점한 좌석',
  pay: '결제하기',
  release: '좌석 취소',
  yourTurn: '입장 차례입니다',
  timeToBook: '예매 가능 시간',
  choose: '좌석 선택',
  toWaitingRoom: '대기실로',
  ended: '대기 순번이 종료되었습니다',
  details: '사유 보기',
};
