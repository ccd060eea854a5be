import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectViolation } from '../support/race/expect-violation.js';
import { type Cluster, useCluster } from '../support/race/cluster.js';
import { eventually } from '../support/sale.js';
import { type SmtpServer, useSmtpServer } from '../support/smtp-server.js';

const SENT_ONCE = 'a mail is sent once';

const INSERT_MAILS = `INSERT INTO outbox
    (id, recipient, subject, body, status, attempts, due_at, expires_at, created_at)
  SELECT id, id || '@fans.example', 'Hello', 'Hello', 'PENDING', 0, 0, 9999999999999, 0
  FROM unnest(CAST($1 AS TEXT[])) AS id`;

describe('races to send a mail', () => {
  const smtp = useSmtpServer();
  const smtpSettings = () => ({ FOYER_SMTP_URL: smtp.url, FOYER_MAIL_FROM: 'tickets@example.com' });
  const foyer = useCluster(undefined, smtpSettings);

  const waitingClaims = async (cluster: Cluster): Promise<number> => {
    const [row] = await cluster.query<{ count: number }>(
      `SELECT CAST(count(*) AS INT) AS count FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      [],
    );
    return row?.count ?? 0;
  };

  /** Lets all processes find the same mails before one of them can claim any. */
  async function race(cluster: Cluster, { received }: Pick<SmtpServer, 'received'>): Promise<void> {
    const ids = Array.from({ length: 5 }, () => randomUUID());
    await cluster.query(INSERT_MAILS, [ids]);
    const release = await cluster.lockRows('SELECT 1 FROM outbox WHERE id = ANY($1) FOR UPDATE', [ids]);
    await eventually(
      () => waitingClaims(cluster),
      (count) => count >= 2,
    ).finally(release);
    await eventually(
      () => cluster.query('SELECT 1 FROM outbox WHERE status = $1', ['PENDING']),
      (pending) => pending.length === 0,
    );
    const copies = ids.map((id) => received.filter(({ to }) => to === `${id}@fans.example`).length);
    expect(copies, SENT_ONCE).toEqual(ids.map(() => 1));
  }

  it('send each mail once', async () => {
    await race(foyer, smtp);
  });

  describe('control', () => {
    const withoutClaimGuard = useCluster({ guards: { 'mail-claim': () => 'due_at >= 0' } }, smtpSettings);
    it('send a mail several times when the mail-claim guard is removed', () =>
      expectViolation(SENT_ONCE, () => race(withoutClaimGuard, smtp)));
  });
});
