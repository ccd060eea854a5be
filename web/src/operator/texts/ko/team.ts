import type { OperatorText } from '../operator-text.js';

export const team: OperatorText['team'] = {
  title: '운영자 관리',
  inviteTitle: '운영자 초대',
  inviteHint:
    '비밀번호를 정하는 링크가 메일로 전송되고, 링크를 사용하면 운영자가 됩니다. 같은 주소를 다시 초대하면 새 링크를 보냅니다.',
  invite: '초대',
  invited: (email) => `${email} 주소로 초대 메일을 보냈습니다.`,
  name: '이름',
  email: '이메일',
  status: '상태',
  statuses: { ACTIVE: '운영자', INVITED: '초대됨' },
  since: '계정 생성일',
  action: '관리',
  you: '본인',
  remove: '해제',
  removeTitle: (name) => `${name} 님을 운영자에서 해제할까요?`,
  removeHint: '즉시 로그아웃되며 더 이상 콘서트를 관리할 수 없습니다. 계정은 일반 회원으로 남습니다.',
  removed: (name) => `${name} 님이 운영자에서 해제되었습니다.`,
  withdraw: '초대 취소',
  withdrawTitle: (email) => `${email} 초대를 취소할까요?`,
  withdrawHint: '메일에 있는 링크를 더 이상 쓸 수 없습니다.',
  withdrawn: (email) => `${email} 초대를 취소했습니다.`,
};

export const mailbox: OperatorText['mailbox'] = {
  title: '메일함',
  bySmtp: '메일은 SMTP로 발송됩니다. 이 목록은 내용 없이 발송 결과만 보여 줍니다.',
  notSent:
    'SMTP 서버가 설정되지 않아 메일이 발송되지 않으며, 모든 메일을 여기에서 볼 수 있습니다. 예매를 시작하기 전에 FOYER_SMTP_URL을 설정하세요.',
  none: '메일이 없습니다.',
  to: (email) => `받는 사람 ${email}`,
  statuses: { PENDING: '대기', SENT: '발송됨', FAILED: '실패', EXPIRED: '만료' },
};
