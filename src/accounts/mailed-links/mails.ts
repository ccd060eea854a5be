/**
 * The texts of all mails, in Korean and English: a mail does not know the language of its reader. They contain no names,
 * which a stranger could have chosen.
 */
interface MailText {
  readonly subject: string;
  readonly text: string;
}

const compose = (subject: string, link: string, ko: string, en: string): MailText => ({
  subject,
  text: `${ko}\n\n${en}\n\n${link}\n`,
});

export const passwordResetMail = (link: string): MailText =>
  compose(
    '비밀번호 재설정 · Reset your password',
    link,
    '아래 링크에서 새 비밀번호를 정하세요. 링크는 1시간 동안 한 번만 쓸 수 있습니다.\n요청하지 않으셨다면 이 메일을 무시하세요. 비밀번호는 바뀌지 않습니다.',
    'Open the link below to choose a new password. It works once, within one hour.\nIf you did not ask for it, ignore this mail: your password stays as it is.',
  );

export const emailVerificationMail = (link: string): MailText =>
  compose(
    '이메일 주소 확인 · Verify your e-mail address',
    link,
    '아래 링크를 열면 이 이메일 주소가 본인 것으로 확인됩니다. 링크는 24시간 동안 쓸 수 있습니다.\n요청하지 않으셨다면 이 메일을 무시하세요.',
    'Open the link below to confirm that this address is yours. It works for 24 hours.\nIf you did not ask for it, ignore this mail.',
  );

export const invitationMail = (link: string): MailText =>
  compose(
    '운영자 초대 · Invitation as an operator',
    link,
    '공연 예매 운영자로 초대되었습니다. 아래 링크에서 비밀번호를 정하면 운영자가 됩니다. 링크는 3일 동안 한 번만 쓸 수 있습니다.\n이 주소로 이미 가입하셨다면 비밀번호가 바뀌고 모든 기기에서 로그아웃됩니다.',
    'You are invited to be an operator of this ticket sale. Choose a password at the link below to accept. It works once, within three days.\nIf you have an account with this address, its password is replaced and it is signed out everywhere.',
  );
