import { type CaseGroup, onCopy } from '../bench.js';
import { placesOf, seatsOf, userIds } from '../look-up.js';
import { againstPgbench, measureAgainstFastify, perSecond, roundOf } from '../measure.js';
import { signIn } from '../operator.js';
import { charge, hold, pay } from '../requests.js';
import { serving } from '../servers.js';
import { accessToken, queueToken } from '../tokens.js';

export const chargeCase: CaseGroup = {
  name: 'charge',
  rows: [{ id: 'charge', title: 'charge a wallet' }],
  async run(bench, fill) {
    const { pollers } = bench.sizes;
    const data = await bench.datasets.people(pollers);
    const visits = (await userIds(data, pollers)).map((id) => [charge(accessToken(id))]);
    await onCopy(bench, data, (copy) =>
      serving(copy, async ({ port }) => {
        const { outcome, figures } = await measureAgainstFastify(bench, { port, visits, expect: [201] });
        const ofPgbench = await againstPgbench(bench, 'charge', perSecond(outcome));
        fill('charge', roundOf(outcome, { ...figures, ...ofPgbench }));
      }),
    );
  },
};

/** Each fan pays for one seat, held beforehand. */
export const payCase: CaseGroup = {
  name: 'pay',
  rows: [{ id: 'pay', title: 'pay a reservation' }],
  async run(bench, fill) {
    const { payments } = bench.sizes;
    const prepared = await bench.datasets.hall(payments, payments);
    const { data, concertId } = prepared;
    const seats = await seatsOf(data, concertId);
    const tokens = (await placesOf(prepared, payments)).map((place) => queueToken(concertId, place));
    const tokenAt = (index: number): string => tokens[index] ?? '';
    await onCopy(bench, data, (copy) =>
      serving(copy, async (server) => {
        const { port } = server;
        await (await signIn(server)).untilActive(concertId, payments);
        const { captured } = await bench.load.run({
          port,
          visits: seats.map(({ scheduleId, id }, index) => [hold(scheduleId, id, tokenAt(index))]),
          once: true,
          expect: [201],
          seconds: 120,
          captures: [{ step: 0, name: 'reservation', pattern: '"id":"([^"]+)"' }],
        });
        const visits = captured.map(({ visit, text }) => [pay(text, tokenAt(visit))]);
        const job = { port, visits, once: true, expect: [201] };
        const { outcome, figures } = await measureAgainstFastify(bench, job);
        const ofPgbench = await againstPgbench(bench, 'pay', perSecond(outcome));
        fill('pay', roundOf(outcome, { ...figures, ...ofPgbench }));
      }),
    );
  },
};
