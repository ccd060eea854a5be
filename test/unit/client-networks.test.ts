import { describe, expect, it } from 'vitest';
import { clientNetworks, siteOf } from '../../src/kernel/client-networks.js';

const keysOf = (ip: string): string[] => clientNetworks(ip).map(({ key }) => key);

describe('the networks of a client', () => {
  it('are one for an IPv4 address', () => {
    expect(clientNetworks('192.0.2.1')).toEqual([{ key: '192.0.2.1', allowance: 1 }]);
  });

  it.each(['::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:192.0.2.1'])(
    'are those of the IPv4 address that is mapped into IPv6: %s',
    (ip) => {
      expect(keysOf(ip)).toEqual(['192.0.2.1']);
      expect(siteOf(ip)).toBe('192.0.2.1');
    },
  );

  it('are the /64, /56 and /48 of an IPv6 address, each with a wider allowance', () => {
    expect(clientNetworks('2001:db8:1:2ff::9')).toEqual([
      { key: '2001:db8:1:2ff/64', allowance: 1 },
      { key: '2001:db8:1:200/56', allowance: 4 },
      { key: '2001:db8:1/48', allowance: 16 },
    ]);
    expect(siteOf('2001:db8:1:2ff::9')).toBe('2001:db8:1:200/56');
  });

  it.each([
    ['2001:db8::1', '2001:0DB8:0:0:ffff::2'],
    ['::1', '::2'],
    ['fe80::1%eth0', 'fe80::2'],
    ['64:ff9b::192.0.2.1', '64:ff9b::c000:202'],
  ])('are the same for %s and %s', (one, other) => {
    expect(keysOf(one)).toEqual(keysOf(other));
  });

  it('share the wider networks with neighbours only', () => {
    const [own, site, region] = keysOf('2001:db8:1:201::1');
    const [neighbour, ...shared] = keysOf('2001:db8:1:202::1');
    expect(neighbour).not.toBe(own);
    expect(shared).toEqual([site, region]);
    expect(keysOf('2001:db8:1:301::1')[1]).not.toBe(site);
    expect(keysOf('2001:db8:1:301::1')[2]).toBe(region);
    expect(keysOf('2001:db8:2:201::1')[2]).not.toBe(region);
  });
});
