import type { Dictionary } from '../dictionary.js';

export const mailedLinks: Dictionary['mailedLinks'] = {
  forgot: '비밀번호를 잊으셨나요?',
  forgotTitle: '비밀번호 재설정',
  forgotHint: '가입하신 이메일 주소를 입력해 주세요. 비밀번호를 재설정할 수 있는 링크를 보내 드립니다.',
  sendLink: '링크 보내기',
  linkSent: '메일을 확인해 주세요',
  linkSentHint: (email) =>
    `${email} 주소로 가입된 계정이 있으면 링크가 담긴 메일을 보냈습니다. 링크는 1시간 동안 사용할 수 있습니다. 메일이 없으면 스팸함도 확인해 주세요.`,
  resetTitle: '새 비밀번호 설정',
  resetHint: '모든 기기에서 로그아웃되며, 새 비밀번호로 다시 로그인합니다. 대기 순번은 그대로입니다.',
  newPassword: '새 비밀번호',
  setPassword: '비밀번호 설정',
  passwordSet: '비밀번호가 변경되었습니다. 새 비밀번호로 로그인해 주세요.',
  askAgain: '링크 다시 받기',
  linkIncomplete: '링크가 완전하지 않습니다. 메일에서 다시 열거나 링크 전체를 복사해 주세요.',
  invitationTitle: '운영자 초대 수락',
  invitationHint: '계정의 비밀번호를 설정해 주세요. 이 비밀번호로 로그인해 예매를 운영합니다.',
  invitationAccepted: '이제 운영자입니다. 새 비밀번호로 로그인해 주세요.',
  verifyTitle: '이메일 주소 확인',
  verified: '감사합니다. 이메일 주소가 확인되었습니다.',
  notVerified: '이메일 주소를 확인해 주세요',
  notVerifiedHint: (email) => `${email} 주소로 메일이 잘 도착하는지 확인할 수 있습니다.`,
  sendVerification: '확인 메일 보내기',
  verificationSent: (email) => `${email} 주소로 링크가 담긴 메일을 보냈습니다.`,
};
