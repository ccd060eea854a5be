import { expect, it } from 'vitest';
import { faultsOf } from '../../prove/faults/index.js';
import { expectKept, proveShortly } from '../support/prove/shortly.js';

it('three processes keep every promise through every fault', async () => {
  const proof = await proveShortly('cluster');
  const struck = new Set(proof.strikes.map(({ fault }) => fault));
  expect([...struck].sort()).toEqual(
    faultsOf('cluster')
      .map(({ name }) => name)
      .sort(),
  );
  expectKept(proof);
}, 240_000);
