import { expect, it } from 'vitest';
import { faultsOf } from '../../prove/faults/index.js';
import { expectEveryInvariantHolds, runShortProof } from '../support/prove/short-proof.js';

it('every invariant holds on three processes while every fault is injected', async () => {
  const proof = await runShortProof('cluster');
  const injected = new Set(proof.faults.map(({ fault }) => fault));
  expect([...injected].sort()).toEqual(
    faultsOf('cluster')
      .map(({ name }) => name)
      .sort(),
  );
  expectEveryInvariantHolds(proof);
}, 240_000);
