import { isIPv6 } from 'node:net';

const IPV6_GROUPS = 8;
const GROUP_BITS = 16;
const MAPPED_PREFIX = '0:0:0:0:0:ffff:';

/**
 * The IPv6 networks that an address is counted in, narrow to wide. A customer gets a /64, a /56 or a whole /48, so
 * counting only /64 would give the owner of a /48 65,536 times the limit. The wider networks may do more, because several
 * customers can share them.
 */
const IPV6_NETWORKS = [
  { bits: 64, allowance: 1 },
  { bits: 56, allowance: 4 },
  { bits: 48, allowance: 16 },
] as const;
/** One household or office. */
const SITE_BITS = 56;

export interface ClientNetwork {
  readonly key: string;
  /** How many times the limit of a single client this network may use. */
  readonly allowance: number;
}

/** An IPv4 address is one client; an IPv6 address counts in three networks. */
export function clientNetworks(ip: string): readonly ClientNetwork[] {
  const address = parse(ip);
  if (typeof address === 'string') return [{ key: address, allowance: 1 }];
  return IPV6_NETWORKS.map(({ bits, allowance }) => ({ key: networkKey(address, bits), allowance }));
}

/** The network in which one person's devices are: an IPv4 address or an IPv6 /56. */
export function siteOf(ip: string): string {
  const address = parse(ip);
  return typeof address === 'string' ? address : networkKey(address, SITE_BITS);
}

/** The eight groups of an IPv6 address. IPv4, also mapped into IPv6 (`::ffff:192.0.2.1`), stays text. */
function parse(ip: string): string | readonly number[] {
  const [address = ''] = ip.split('%');
  if (!isIPv6(address)) return address;
  const groups = expand(withHexTail(address));
  const text = groups.map((group) => group.toString(16)).join(':');
  if (!text.startsWith(MAPPED_PREFIX)) return groups;
  return groups
    .slice(-2)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/** Replaces the dotted end of `::ffff:192.0.2.1` by two groups. */
const withHexTail = (address: string): string =>
  address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });

function expand(address: string): number[] {
  const [head = [], tail = []] = address.split('::').map((part) =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16)),
  );
  const zeros = Array<number>(IPV6_GROUPS - head.length - tail.length).fill(0);
  return [...head, ...zeros, ...tail];
}

function networkKey(groups: readonly number[], bits: number): string {
  const kept = groups.slice(0, Math.ceil(bits / GROUP_BITS));
  const spare = kept.length * GROUP_BITS - bits;
  const masked = kept.map((group, index) => (index === kept.length - 1 ? (group >> spare) << spare : group));
  return `${masked.map((group) => group.toString(16)).join(':')}/${bits}`;
}
