export const team = {
  title: 'Operators',
  inviteTitle: 'Invite an operator',
  inviteHint:
    'They get a mail with a link to choose a password, and become an operator when they use it. Invite an address again to send another link.',
  invite: 'Invite',
  invited: (email: string) => `${email} has been invited.`,
  name: 'Name',
  email: 'E-mail',
  status: 'Status',
  statuses: { ACTIVE: 'Operator', INVITED: 'Invited' },
  since: 'Account since',
  action: 'Action',
  you: 'You',
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeHint:
    'They are signed out at once and can no longer manage any concert. Their account stays, as a fan’s.',
  removed: (name: string) => `${name} is no longer an operator.`,
  withdraw: 'Withdraw invitation',
  withdrawTitle: (email: string) => `Withdraw the invitation of ${email}?`,
  withdrawHint: 'The link in the mail stops working.',
  withdrawn: (email: string) => `The invitation of ${email} has been withdrawn.`,
};

export const mailbox = {
  title: 'Mailbox',
  bySmtp: 'Mail is sent by SMTP. This list shows what became of it, without the texts.',
  notSent:
    'No SMTP server is configured, so no mail is sent: you can read every mail here. Set FOYER_SMTP_URL before you sell tickets.',
  none: 'There are no mails.',
  to: (email: string) => `To ${email}`,
  statuses: {
    PENDING: 'Waiting',
    SENT: 'Sent',
    FAILED: 'Failed',
    EXPIRED: 'Expired',
  },
};
