import { expect, it, onTestFinished } from 'vitest';
import { type Cluster, useCluster } from '../support/race/cluster.js';
import { openSaleWithFans } from '../support/race/sale-with-fans.js';
import { pngImage } from '../support/images.js';
import { uploadPoster } from '../support/posters.js';
import { eventually, hold } from '../support/sale.js';

const foyer = useCluster();

/** Makes every write to the table wait. Returns a function that ends this. */
async function blockWrites(cluster: Cluster, table: 'posters' | 'schedules'): Promise<() => Promise<void>> {
  let isBlocked = true;
  const release = await cluster.lockRows(`LOCK TABLE ${table} IN SHARE MODE`, []);
  const unblock = async (): Promise<void> => {
    if (isBlocked) await release();
    isBlocked = false;
  };
  onTestFinished(unblock);
  return unblock;
}

const untilWaiting = (cluster: Cluster, table: string) =>
  eventually(
    () =>
      cluster.query(
        `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = CAST($1 AS regclass)
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        [table],
      ),
    (waiting) => waiting.length > 0,
  );

/** The uploads take turns with the processes. */
const upload = (concertId: string, colour: string, turn = 0): Promise<Response> =>
  uploadPoster(
    { url: foyer.urls[turn % foyer.urls.length] ?? '', operator: foyer.operator },
    concertId,
    pngImage(200, 200, colour),
  );

it.each([
  ['dates', 'schedules'],
  ['poster', 'posters'],
] as const)('a concert on sale sells seats while a copy of it writes its %s', async (_what, table) => {
  const { client, operator } = foyer;
  const { sale, tokens, seats } = await openSaleWithFans(foyer, 1);
  await upload(sale.concertId, '#111111');
  const unblock = await blockWrites(foyer, table);
  const copying = client.post(`/operator/concerts/${sale.concertId}/duplicate`, operator, {});
  await untilWaiting(foyer, table);
  expect((await hold(client, tokens[0] ?? '', sale, seats.slice(0, 1))).status).toBe(201);
  await unblock();
  const copied = await copying;
  expect(copied.status, copied.text).toBe(201);
});

it('a concert on sale sells seats while its poster is written', async () => {
  const { sale, tokens, seats } = await openSaleWithFans(foyer, 1);
  const unblock = await blockWrites(foyer, 'posters');
  const uploading = upload(sale.concertId, '#222222');
  await untilWaiting(foyer, 'posters');
  expect((await hold(foyer.client, tokens[0] ?? '', sale, seats.slice(0, 1))).status).toBe(201);
  await unblock();
  expect((await uploading).status).toBe(200);
});

it('concurrent uploads leave one poster, and its content is served', async () => {
  const { sale } = await openSaleWithFans(foyer, 1);
  const colours = ['#111111', '#222222', '#333333'];
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all(
      [...colours, ...colours].map((colour, turn) => upload(sale.concertId, colour, turn)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { poster } = (await foyer.client.get(`/concerts/${sale.concertId}`)).body;
    const stored = await foyer.query<{ hash: string }>('SELECT hash FROM posters WHERE concert_id = $1', [
      sale.concertId,
    ]);
    expect(stored).toHaveLength(1);
    expect(poster.path).toContain(stored[0]?.hash);
  }
});
