export const account = {
  signInTitle: 'Sign in',
  signUpTitle: 'Create an account',
  email: 'E-mail',
  password: 'Password',
  passwordHint: (min: number) => `At least ${min} characters.`,
  name: 'Name',
  nameHint: 'Shown on your tickets.',
  noAccount: 'No account yet?',
  haveAccount: 'Already have an account?',
  sessionExpired:
    'Your session has ended. Sign in again to continue where you were; your place in line is kept.',
  signInToContinue: 'Sign in to continue. You will come back to this page.',
  emailInvalid: 'Enter a full e-mail address, like name@example.com.',
  passwordShort: (min: number) => `The password needs at least ${min} characters.`,
  nameMissing: 'Enter your name.',
  passwordMissing: 'Enter your password.',
};
