import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { useOwnFoyer } from '../support/foyer.js';
import { pngImage } from '../support/images.js';
import { uploadPoster } from '../support/posters.js';
import { eventually, joinActive, newKey, openSale, PRICE, signUpFan } from '../support/sale.js';
import { expectList, expectProblem } from '../support/shapes.js';

const STARTS_AT = '2099-11-15T09:00:00.000Z';
const section = (rows: number, seatsPerRow: number) => ({
  name: 'A',
  rows,
  seatsPerRow,
  grade: 'R',
  price: PRICE,
});
const concert = (title: string, sections = [section(2, 5)]) => ({
  title,
  venue: 'A hall',
  schedules: [{ startsAt: STARTS_AT, sections }],
});

for (const database of DATABASES) {
  describe(`drafts on ${database.name}`, () => {
    const foyer = useOwnFoyer(database);
    const get = (path: string, token?: string): Promise<Answer> => foyer.client.get(path, token);
    const asOperator = (path: string): Promise<Answer> => get(`/operator/concerts${path}`, foyer.operator);
    const publish = (id: string): Promise<Answer> =>
      foyer.client.post(`/operator/concerts/${id}/publish`, foyer.operator);

    it('do not exist for fans, until they are published', async () => {
      const sale = await openSale(foyer.client, foyer.operator, { concert: { draft: true } });
      const { concertId } = sale;
      const dateId = sale.scheduleIds[0] ?? '';
      const fan = await signUpFan(foyer.client);
      const listed = async () => expectList(await get('/concerts')).some(({ id }) => id === concertId);

      expect(await listed()).toBe(false);
      for (const path of ['', '/overview', '/schedules'])
        expectProblem(await get(`/concerts/${concertId}${path}`, fan.accessToken), 404, 'CONCERT_NOT_FOUND');
      const join = () => foyer.client.post(`/concerts/${concertId}/queue-tokens`, fan.accessToken);
      expectProblem(await join(), 404, 'CONCERT_NOT_FOUND');
      for (const path of ['seats', 'chart', 'state', 'seats/events'])
        expectProblem(await get(`/schedules/${dateId}/${path}`, fan.accessToken), 404, 'SCHEDULE_NOT_FOUND');

      for (const [path, body] of [
        ['/reservations', { scheduleId: dateId, seatIds: [crypto.randomUUID()] }],
        ['/reservations/best', { scheduleId: dateId, count: 1 }],
      ] as const)
        expectProblem(await foyer.client.post(path, fan.accessToken, body), 404, 'SCHEDULE_NOT_FOUND');

      expect((await asOperator(`/${concertId}`)).body).toMatchObject({ draft: true, seatsTotal: 10 });
      expect(expectList(await asOperator(''))).toContainEqual(
        expect.objectContaining({ id: concertId, draft: true }),
      );
      expect((await get(`/operator/schedules/${dateId}/chart`, foyer.operator)).status).toBe(200);
      expectProblem(
        await foyer.client.post(`/operator/concerts/${concertId}/publish`, fan.accessToken),
        403,
        'FORBIDDEN',
      );

      for (let times = 0; times < 3; times += 1)
        expect(await publish(concertId)).toMatchObject({
          status: 200,
          body: { id: concertId, draft: false },
        });
      for (let processes = 0; processes < 2; processes += 1) {
        expect(await listed()).toBe(true);
        expect((await get(`/concerts/${concertId}/overview`)).status).toBe(200);
      }
      const token = await joinActive(foyer.client, fan, sale);
      expect((await get(`/schedules/${dateId}/seats`, token)).body.items).toHaveLength(10);
      const entries = expectList(await asOperator(`/${concertId}/audit`));
      expect(
        entries.filter(({ action }) => action === 'CONCERT_PUBLISHED'),
        'one entry',
      ).toHaveLength(1);
    });

    it('show their poster only to those who know its address', async () => {
      const { concertId } = await openSale(foyer.client, foyer.operator, { concert: { draft: true } });
      expect((await uploadPoster(foyer, concertId, pngImage(300, 400))).status).toBe(200);
      const path: string = (await asOperator(`/${concertId}`)).body.poster.path;
      expect((await fetch(foyer.url + path)).status).toBe(200);
      for (const hash of ['x', 'x'.repeat(22)]) {
        const draft = await get(`/concerts/${concertId}/posters/${hash}`);
        const none = await get(`/concerts/${crypto.randomUUID()}/posters/${hash}`);
        expectProblem(draft, 404, 'CONCERT_NOT_FOUND');
        expect(draft.text).toBe(none.text);
      }
      await publish(concertId);
      expectProblem(await get(`/concerts/${concertId}/posters/x`), 404, 'NOT_FOUND');
      expect((await fetch(foyer.url + path)).status).toBe(200);
    });

    it('are copied as drafts, unless the copy says otherwise', async () => {
      const { concertId } = await openSale(foyer.client, foyer.operator, { concert: { draft: true } });
      const copy = async (body: object) => {
        const answer = await foyer.client.post(
          `/operator/concerts/${concertId}/duplicate`,
          foyer.operator,
          body,
        );
        return (await asOperator(`/${answer.body.id as string}`)).body;
      };
      expect(await copy({})).toMatchObject({ draft: true, seatsTotal: 10 });
      expect(await copy({ draft: false })).toMatchObject({ draft: false });
    });

    it('can only be published if they exist', async () => {
      expectProblem(await publish(crypto.randomUUID()), 404, 'CONCERT_NOT_FOUND');
    });
  });

  describe(`large concerts on ${database.name}`, () => {
    const foyer = useOwnFoyer(database);
    const isListed = async (title: string): Promise<boolean> =>
      expectList(await foyer.client.get('/concerts')).some((item) => item['title'] === title);

    it('are added while other requests are answered, and appear with all of their seats', async () => {
      const finished: string[] = [];
      const adding = foyer.client
        .post('/operator/concerts', foyer.operator, concert('Large', [section(200, 100)]), newKey())
        .then((answer) => {
          finished.push('added');
          return answer;
        });
      while (!finished.includes('added')) {
        const wasListed = await isListed('Large');
        finished.push(wasListed ? 'listed' : 'answered');
      }
      const added = await adding;
      expect(added.status, added.text).toBe(201);
      expect(added.body.schedules).toMatchObject([{ seatsTotal: 20_000 }]);
      expect(finished.filter((event) => event === 'answered').length).toBeGreaterThan(0);
      expect(await isListed('Large')).toBe(true);
      const overview = (await foyer.client.get(`/concerts/${added.body.id as string}/overview`)).body;
      expect(overview.dates).toMatchObject([{ seatsTotal: 20_000 }]);
    });

    it('answer a repeated key with the same concert', async () => {
      const key = newKey();
      const add = () =>
        foyer.client.post('/operator/concerts', foyer.operator, concert('Once', [section(30, 100)]), key);
      const answers = await Promise.all([add(), add(), add()]);
      const ids = answers.filter(({ status }) => status === 201).map(({ body }) => body.id as string);
      expect(new Set(ids).size).toBe(1);
      expect((await add()).body.id).toBe(ids[0]);
      const listed = expectList(await foyer.client.get('/concerts')).filter(({ title }) => title === 'Once');
      expect(listed).toHaveLength(1);
    });

    it('leave nothing visible when the process is killed, and the same key works afterwards', async () => {
      const key = newKey();
      const body = concert('Killed', [section(500, 200)]);
      const add = () => foyer.client.post('/operator/concerts', foyer.operator, body, key);
      const interrupted = add().catch(() => undefined);
      // Other requests are answered meanwhile, so the seats are being written.
      expect(await isListed('Killed')).toBe(false);
      await foyer.kill();
      expect(await interrupted).toBeUndefined();
      await foyer.restart();
      expect(await isListed('Killed')).toBe(false);
      const operatorList = await foyer.client.get('/operator/concerts', foyer.operator);
      expect(expectList(operatorList).map(({ title }) => title)).not.toContain('Killed');
      const answer = await eventually(add, ({ status }) => status === 201);
      expect(answer.body.schedules).toMatchObject([{ seatsTotal: 100_000 }]);
      expect(await isListed('Killed')).toBe(true);
    });
  });

  describe(`time zones on ${database.name}`, () => {
    const foyer = useOwnFoyer(database, { FOYER_TIME_ZONE: 'Europe/Berlin' });
    const zoneOf = async (id: string): Promise<unknown[]> => [
      (await foyer.client.get(`/concerts/${id}`)).body.timeZone,
      (await foyer.client.get(`/operator/concerts/${id}`, foyer.operator)).body.timeZone,
    ];

    it('are those of the setting, of the concert, or of a later edit', async () => {
      const defaults = await foyer.client.get('/operator/concert-defaults', foyer.operator);
      expect(defaults.body).toEqual({ currency: 'KRW', timeZone: 'Europe/Berlin' });
      const byDefault = await openSale(foyer.client, foyer.operator);
      expect(await zoneOf(byDefault.concertId)).toEqual(['Europe/Berlin', 'Europe/Berlin']);
      const { concertId } = await openSale(foyer.client, foyer.operator, {
        concert: { timeZone: 'America/New_York' },
      });
      expect(await zoneOf(concertId)).toEqual(['America/New_York', 'America/New_York']);
      const edit = { token: foyer.operator, body: { timeZone: 'Asia/Tokyo' } };
      const edited = await foyer.client.call('PATCH', `/operator/concerts/${concertId}`, edit);
      expect(edited.body).toMatchObject({ timeZone: 'Asia/Tokyo', draft: false });
      expect(await zoneOf(concertId)).toEqual(['Asia/Tokyo', 'Asia/Tokyo']);
      const copied = await foyer.client.post(`/operator/concerts/${concertId}/duplicate`, foyer.operator, {});
      expect((await zoneOf(copied.body.id as string))[0]).toBe('Asia/Tokyo');
    });

    it.each(['Mars/Base', '+09:00', '', 'Asia/Seoul ', 'x'.repeat(65), null, 9])(
      'are refused if they are not in the IANA database: %j',
      async (timeZone) => {
        const body = { ...concert('Zone'), timeZone };
        const { concertId } = await openSale(foyer.client, foyer.operator);
        const edit = { token: foyer.operator, body: { timeZone } };
        expectProblem(
          await foyer.client.post('/operator/concerts', foyer.operator, body),
          400,
          'INVALID_REQUEST',
        );
        expectProblem(
          await foyer.client.call('PATCH', `/operator/concerts/${concertId}`, edit),
          400,
          'INVALID_REQUEST',
        );
      },
    );
  });
}
