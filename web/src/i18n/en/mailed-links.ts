/** The pages that links in mails lead to. */
export const mailedLinks = {
  forgot: 'Forgot your password?',
  forgotTitle: 'Forgot your password?',
  forgotHint: 'Enter the e-mail address of your account. We send you a link to choose a new password.',
  sendLink: 'Send link',
  linkSent: 'Check your mail',
  linkSentHint: (email: string) =>
    `If ${email} has an account, a mail with a link is on its way. The link works for one hour. No mail? Look in the spam folder.`,
  resetTitle: 'Choose a new password',
  resetHint:
    'You will be signed out on every device and sign in with the new password. Your place in line is kept.',
  newPassword: 'New password',
  setPassword: 'Set password',
  passwordSet: 'Your password has been changed. Sign in with it.',
  askAgain: 'Ask for a new link',
  linkIncomplete: 'This link is incomplete. Open it from the mail again, or copy all of it.',
  invitationTitle: 'Become an operator',
  invitationHint: 'Choose a password for your account. You then sign in with it and manage the ticket sale.',
  invitationAccepted: 'You are an operator now. Sign in with your new password.',
  verifyTitle: 'Verify your e-mail address',
  verified: 'Thank you. Your e-mail address is verified.',
  notVerified: 'Verify your e-mail address',
  notVerifiedHint: (email: string) => `Then you know that our mails reach you at ${email}.`,
  sendVerification: 'Send verification mail',
  verificationSent: (email: string) => `A mail with a link is on its way to ${email}.`,
};
