import { beforeAll, describe, expect, it } from 'vitest';
import { type Evidence, judge } from '../../prove/check/index.js';
import { faultsOf } from '../../prove/faults/index.js';
import type { Proof } from '../../prove/run.js';
import { TAMPERINGS } from '../support/prove/tamperings.js';
import { expectKept, proveShortly } from '../support/prove/shortly.js';

const MINUTES_MAX = 3 * 60_000;

describe('one process', () => {
  let proof: Proof;
  const said: string[] = [];

  beforeAll(async () => {
    proof = await proveShortly('embedded', { say: (text) => said.push(text) });
  }, MINUTES_MAX);

  it('keeps every promise through every fault', () => {
    // Left out aloud where this machine cannot have it.
    const missing = said.flatMap((text) => /^LEFT OUT: ([\w-]+):/.exec(text)?.[1] ?? []);
    const struck = new Set([...proof.strikes.map(({ fault }) => fault), ...missing]);
    expect([...struck].sort()).toEqual(
      faultsOf('embedded')
        .map(({ name }) => name)
        .sort(),
    );
    expectKept(proof);
  });

  it.each(TAMPERINGS)('would not be said to keep "$promise" if $says', ({ promise, tamper }) => {
    const evidence: Evidence = tamper(proof.evidence);
    const broken = judge(evidence).filter(({ violations }) => violations.length > 0);
    expect(broken.map(({ name }) => name)).toContain(promise);
  });

  it(
    'keeps every promise when it is killed again and again',
    async () => {
      const killed = await proveShortly('embedded', { faults: ['kill'], minutes: 0.2 });
      expect(killed.strikes.length).toBeGreaterThan(1);
      expectKept(killed);
    },
    MINUTES_MAX,
  );
});
