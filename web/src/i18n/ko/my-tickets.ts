import type { Dictionary } from '../dictionary.js';

export const myTickets: Dictionary['myTickets'] = {
  title: '예매 내역',
  held: '결제 대기 중인 좌석',
  payNow: '결제하기',
  receipts: '예매한 티켓',
  noReceipts: '예매한 티켓이 없습니다.',
  earlier: '지난 내역',
  wallet: '지갑',
  walletDenied:
    '지갑은 대기열에 참여하면 열립니다. 콘서트의 대기열에 참여하면 여기에서, 또는 결제할 때 충전할 수 있습니다.',
  balance: '잔액',
  entries: '입출금 내역',
  noEntries: '아직 내역이 없습니다.',
  entryTypes: { CHARGE: '충전', PAYMENT: '결제', REFUND: '환불', FORFEIT: '잔액 포기' },
  statuses: { HELD: '결제 대기', CONFIRMED: '결제 완료', EXPIRED: '시간 초과', CANCELLED: '취소됨' },
  entryType: '내용',
  amount: '금액',
  balanceAfter: (balance) => `잔액 ${balance}`,
  until: (time) => `${time}까지`,
};
