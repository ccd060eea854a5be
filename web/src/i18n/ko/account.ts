import type { Dictionary } from '../dictionary.js';

export const account: Dictionary['account'] = {
  signInTitle: '로그인',
  signUpTitle: '회원가입',
  email: '이메일',
  password: '비밀번호',
  passwordHint: (min) => `${min}자 이상`,
  name: '이름',
  nameHint: '예매 내역에 표시됩니다.',
  noAccount: '아직 계정이 없으신가요?',
  haveAccount: '이미 계정이 있으신가요?',
  sessionExpired:
    '로그인이 만료되었습니다. 다시 로그인하면 하던 곳에서 이어집니다. 대기 순번은 그대로입니다.',
  signInToContinue: '로그인하면 보던 곳에서 이어집니다.',
  emailInvalid: 'name@example.com처럼 이메일 주소 전체를 입력해 주세요.',
  passwordShort: (min) => `비밀번호는 ${min}자 이상이어야 합니다.`,
  nameMissing: '이름을 입력해 주세요.',
  passwordMissing: '비밀번호를 입력해 주세요.',
  manySigningIn:
    '현재 로그인 이용자가 많습니다. 화면을 닫지 말고 기다려 주세요. 최대 1분 정도 걸릴 수 있습니다.',
  title: '계정',
  changePassword: '비밀번호 변경',
  changePasswordHint: '다른 모든 기기에서 로그아웃됩니다. 대기 순번과 예매 내역은 그대로입니다.',
  currentPassword: '현재 비밀번호',
  newPassword: '새 비밀번호',
  currentPasswordWrong: '현재 비밀번호가 일치하지 않습니다.',
  passwordChanged: '비밀번호가 변경되었습니다.',
  devices: '로그인 기기',
  devicesHint: '로그아웃해도 대기 순번과 예매 내역은 그대로입니다.',
  signOutHere: '이 기기에서 로그아웃',
  signOutEverywhere: '모든 기기에서 로그아웃',
  signOutEverywhereTitle: '모든 기기에서 로그아웃하시겠습니까?',
  signOutEverywhereText:
    '이 기기를 포함해 로그인된 모든 휴대폰과 컴퓨터에서 로그아웃됩니다. 다시 로그인하면 대기를 이어갈 수 있습니다.',
  signedOutEverywhere: '모든 기기에서 로그아웃되었습니다.',
};
