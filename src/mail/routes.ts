import { PageQuery, type Routes } from '../platform/web/index.js';
import { type Mailbox, MailPageSchema } from './mailbox.js';

export const mailRoutes =
  (mailbox: Mailbox): Routes =>
  (app) => {
    app.get(
      '/operator/mailbox',
      {
        schema: {
          tags: ['Operator'],
          summary: 'Mails of the last days, newest first; with their texts if no SMTP server is configured',
          querystring: PageQuery,
          response: { 200: MailPageSchema },
        },
        config: { credential: 'operator', refuses: ['ACCESS_DENIED', 'FORBIDDEN', 'USER_NOT_FOUND'] },
      },
      (request) => mailbox(request.query),
    );
  };
