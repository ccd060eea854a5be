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
  emailInvalid: 'name@example.com처럼 이메일 주소 전체를 입력하세요.',
  passwordShort: (min) => `비밀번호는 ${min}자 이상이어야 합니다.`,
  nameMissing: '이름을 입력하세요.',
  passwordMissing: '비밀번호를 입력하세요.',
};
