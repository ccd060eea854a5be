import type { OperatorText } from '../operator-text.js';

export const seatOwner: OperatorText['seatOwner'] = {
  free: '남은 좌석입니다. 잡아 두거나 구매한 사람이 없습니다.',
  states: { AVAILABLE: '남음', HELD: '잡아 둠', SOLD: '판매됨' },
  reservation: '함께 예매한 좌석',
  heldUntil: '결제 기한',
  openPayment: '결제 내역 보기',
  openReservation: '예약 내역 보기',
};

export const breakdown: OperatorText['breakdown'] = {
  byGrade: '등급별 판매',
  byDate: '회차별 판매',
  grade: '등급',
  date: '회차',
  sold: '판매',
  held: '잡아 둠',
  free: '남음',
  sales: '매출',
};
