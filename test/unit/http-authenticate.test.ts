import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createIdentify } from '../../src/http/index.js';
import type { Caller } from '../../src/kernel/caller.js';
import { Refusal } from '../../src/kernel/refusal.js';
import { closed, type Routes } from '../../src/platform/web/index.js';
import { createHttpApp, type HttpApp } from '../support/http-app.js';

const OPERATOR = 'operator';
const body = closed({ amount: Type.Integer() });

const routes: Routes = (app) => {
  app.get('/open', () => ({}));
  app.post('/own', { schema: { body }, config: { credential: 'either' } }, () => ({}));
  app.post('/desk', { schema: { body }, config: { credential: 'operator' } }, () => ({}));
};

let reported: string[];
let passed: string[];
let waitForChanges: ReturnType<typeof vi.fn<() => Promise<void>>>;
let http: HttpApp;

beforeEach(() => {
  reported = [];
  passed = [];
  waitForChanges = vi.fn(() => Promise.resolve());
  const identify = createIdentify({
    identifyAccess: (token) =>
      token === 'forged' ? undefined : { userId: token, credentialVersion: 0, sessionId: token },
    identifyPlace: () => undefined,
    nowMs: () => 0,
    onCaller: ({ userId }) => reported.push(userId),
  });
  const requireOperator = async ({ userId }: Caller): Promise<void> => {
    await Promise.resolve();
    if (userId !== OPERATOR) throw new Refusal('FORBIDDEN');
  };
  const fastPath = { path: '/fast', answer: () => undefined };
  http = createHttpApp([routes], {
    identify,
    requireOperator,
    onCallerPassed: ({ userId }) => passed.push(userId),
    waitForChanges: () => waitForChanges(),
    fastPath,
  });
});
afterEach(() => http.app.close());

async function call(method: 'GET' | 'POST', path: string, token?: string, payload?: object) {
  const answer = await http.app.inject({
    method,
    url: `/api/v1${path}`,
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
    ...(payload !== undefined && { payload }),
  });
  const { code, reason } = answer.json<{ code?: string; reason?: string }>();
  return { status: answer.statusCode, code, reason };
}

describe('authentication', () => {
  it('comes before the body is parsed or validated', async () => {
    const large = { amount: 'x'.repeat(100_000) };
    for (const wrong of [undefined, {}, { amount: '1' }, large]) {
      expect(await call('POST', '/own', undefined, wrong)).toMatchObject({ status: 401, reason: 'MISSING' });
      expect(await call('POST', '/own', 'forged', wrong)).toMatchObject({ status: 401, reason: 'INVALID' });
      expect(await call('POST', '/desk', 'ada', wrong)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    }
    expect(await call('POST', '/own', 'ada', {})).toMatchObject({ status: 400 });
    expect(await call('POST', '/desk', OPERATOR, {})).toMatchObject({ status: 400 });
    expect(await call('POST', '/desk', OPERATOR, { amount: 1 })).toMatchObject({ status: 200 });
  });

  it('reports the caller even if the call fails', async () => {
    expect(await call('GET', '/open', 'ada')).toMatchObject({ status: 200 });
    expect(await call('POST', '/own', 'ben', { amount: '1' })).toMatchObject({ status: 400 });
    waitForChanges.mockRejectedValueOnce(new Refusal('UNAVAILABLE'));
    expect(await call('POST', '/own', 'cho', { amount: 1 })).toMatchObject({ status: 503 });
    expect(reported).toEqual(['ada', 'ben', 'cho']);
    expect(passed).toEqual(['ada', 'ben']);
  });

  it('reports the caller again when this process has caught up with the others', async () => {
    let catchUp = (): void => undefined;
    waitForChanges.mockReturnValueOnce(new Promise((resolve) => (catchUp = resolve)));
    const answer = call('GET', '/open', 'ada');
    await vi.waitFor(() => {
      expect(reported).toEqual(['ada']);
    });
    expect(passed).toEqual([]);
    catchUp();
    await answer;
    expect(passed).toEqual(['ada']);
  });

  it('is optional on public routes', async () => {
    expect(await call('GET', '/open')).toMatchObject({ status: 200 });
    expect(await call('GET', '/open', 'forged')).toMatchObject({ status: 200 });
    expect(reported).toEqual([]);
  });
});
