export const personalData = {
  title: 'Your data',
  downloadHint:
    'Everything that is stored about you: account, wallet, receipts, reservations and places in line.',
  download: 'Download my data',
  deleteTitle: 'Delete your account',
  deleteHint:
    'Your name, e-mail address and password are erased, your places in line and unpaid reservations are given up, and you can no longer see your tickets here. Receipts are kept without your name. This cannot be undone.',
  password: 'Password',
  passwordMissing: 'Enter your password.',
  passwordWrong: 'This is not your password.',
  balance: (money: string) => `Your wallet still has ${money}. Spend it first, or give it up.`,
  forfeit: (money: string) => `I give up ${money}.`,
  delete: 'Delete my account',
  deleted: 'Your account is deleted.',
};
