import { beforeAll, describe, expect, it } from 'vitest';
import { checkInvariants } from '../../prove/check/index.js';
import { faultsOf } from '../../prove/faults/index.js';
import type { Proof } from '../../prove/run.js';
import { EVIDENCE_MUTATIONS } from '../support/prove/evidence-mutations.js';
import { expectEveryInvariantHolds, runShortProof } from '../support/prove/short-proof.js';

const RUN_MAX_MS = 3 * 60_000;

describe('one process', () => {
  let proof: Proof;
  const logged: string[] = [];

  beforeAll(async () => {
    proof = await runShortProof('embedded', { log: (text) => logged.push(text) });
  }, RUN_MAX_MS);

  it('every invariant holds while every fault is injected', () => {
    // A fault that this machine cannot inject is skipped, and the log says so.
    const skipped = logged.flatMap((text) => /^SKIPPED: ([\w-]+):/.exec(text)?.[1] ?? []);
    const injected = new Set([...proof.faults.map(({ fault }) => fault), ...skipped]);
    expect([...injected].sort()).toEqual(
      faultsOf('embedded')
        .map(({ name }) => name)
        .sort(),
    );
    expectEveryInvariantHolds(proof);
  });

  it.each(EVIDENCE_MUTATIONS)(
    'the checker reports "$invariant" as violated when $description',
    ({ invariant, mutate }) => {
      const violated = checkInvariants(mutate(proof.evidence)).filter(
        ({ violations }) => violations.length > 0,
      );
      expect(violated.map(({ name }) => name)).toContain(invariant);
    },
  );

  it(
    'every invariant holds while the process is killed repeatedly',
    async () => {
      const killed = await runShortProof('embedded', { faults: ['kill'], minutes: 0.2 });
      expect(killed.faults.length).toBeGreaterThan(1);
      expectEveryInvariantHolds(killed);
    },
    RUN_MAX_MS,
  );
});
