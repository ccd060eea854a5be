export const account = {
  signInTitle: 'Sign in',
  signUpTitle: 'Make an account',
  email: 'E-mail',
  password: 'Password',
  passwordHint: (min: number) => `At least ${min} characters.`,
  name: 'Name',
  nameHint: 'Stands on your tickets.',
  noAccount: 'No account yet?',
  haveAccount: 'Have an account already?',
  sessionOver:
    'Your session has ended. Sign in again and you go on where you were; your place in line is kept.',
  goOn: 'Sign in to go on. Your way is remembered.',
  emailInvalid: 'Write a full e-mail address, like name@example.com.',
  passwordShort: (min: number) => `The password needs at least ${min} characters.`,
  nameMissing: 'Write your name.',
  passwordMissing: 'Write your password.',
};
