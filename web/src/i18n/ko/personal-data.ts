import type { Dictionary } from '../dictionary.js';

export const personalData: Dictionary['personalData'] = {
  title: '내 정보',
  downloadHint: '계정, 잔액, 영수증, 예매, 대기 기록 등 저장된 정보를 모두 담은 파일입니다.',
  download: '내 정보 내려받기',
  deleteTitle: '회원 탈퇴',
  deleteHint:
    '이름, 이메일, 비밀번호가 삭제되고 대기 순번과 결제하지 않은 예매는 취소됩니다. 이후에는 이곳에서 티켓을 볼 수 없습니다. 영수증은 이름 없이 보관됩니다. 되돌릴 수 없습니다.',
  password: '비밀번호',
  passwordMissing: '비밀번호를 입력해 주세요.',
  passwordWrong: '비밀번호가 일치하지 않습니다.',
  balance: (money) => `남은 잔액이 있습니다. (${money}) 먼저 사용하거나 잔액 포기에 동의해 주세요.`,
  forfeit: (money) => `잔액 포기에 동의합니다. (${money})`,
  delete: '탈퇴하기',
  deleted: '탈퇴가 완료되었습니다.',
};
