import type { OperatorText } from '../operator-text.js';

export const seatOwner: OperatorText['seatOwner'] = {
  free: '예매 가능한 좌석입니다.',
  states: { AVAILABLE: '예매 가능', HELD: '선점됨', SOLD: '판매 완료' },
  reservation: '함께 예매한 좌석',
  heldUntil: '결제 기한',
  openPayment: '결제 내역 보기',
  openReservation: '예매 내역 보기',
};

export const breakdown: OperatorText['breakdown'] = {
  byGrade: '등급별 판매',
  byDate: '회차별 판매',
  grade: '등급',
  date: '회차',
  sold: '판매',
  held: '선점',
  free: '잔여',
  sales: '매출',
};
