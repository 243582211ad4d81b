import { type BlockList, isIP, SocketAddress, type IPVersion } from 'node:net';
import { listNetworks } from '../../http/client/reachable-addresses.ts';
import { networkPattern } from '../../model/names.ts';

/** Is it a network in CIDR notation? Networks of IPv4-mapped addresses are refused: write them as IPv4. */
export function isNetwork(text: string): boolean {
  const [address = ''] = text.split('/');
  if (!networkPattern.test(text) || isIP(address) === 0 || isMapped(address)) return false;
  try {
    listNetworks([text]);
    return true;
  } catch {
    return false; // more bits than an address has
  }
}

/** Is the address in one of these networks? An unreadable address is in none. */
export function isWithin(networks: readonly string[], address: string | undefined): boolean {
  if (address === undefined || isIP(address) === 0) return false;
  const plain = plainAddress(address);
  const version = versionOf(plain);
  return listsOf(networks)[version].check(plain, version);
}

/** Does a key of the second networks work outside the first? No networks mean everywhere. */
export function isWider(before: readonly string[], after: readonly string[]): boolean {
  if (before.length === 0) return false;
  return after.length === 0 || !after.every((network) => before.some((outer) => contains(outer, network)));
}

/**
 * Networks where keys of both lists work: of two networks, the one within the other. An empty list is everywhere, but as a
 * result also nowhere.
 */
export function commonNetworks(before: readonly string[], after: readonly string[]): string[] {
  if (before.length === 0 || after.length === 0) return [...before, ...after];
  const pairs = before.flatMap((first) => after.map((second) => [first, second] as const));
  return [...new Set(pairs.flatMap((pair) => innerOf(...pair) ?? []))];
}

function innerOf(first: string, second: string): string | null {
  if (contains(second, first)) return first;
  return contains(first, second) ? second : null;
}

function contains(outer: string, inner: string): boolean {
  const [address = '', bits = ''] = inner.split('/');
  const outerBits = Number(outer.split('/')[1]);
  return outerBits <= Number(bits) && isWithin([outer], address);
}

/** Lists made once for the networks of a key, which are checked at each request. */
const lists = new WeakMap<readonly string[], Record<IPVersion, BlockList>>();

/** Lists by version: a list of Node compares an address of IPv4 with networks of IPv6 too, and ::/0 would contain it. */
function listsOf(networks: readonly string[]): Record<IPVersion, BlockList> {
  const of = (version: IPVersion) => listNetworks(networks.filter((network) => versionOf(network) === version));
  const both = lists.get(networks) ?? { ipv4: of('ipv4'), ipv6: of('ipv6') };
  lists.set(networks, both);
  return both;
}

/** The address without a zone; an IPv4-mapped one as IPv4, so that a network of IPv6 never contains it. */
function plainAddress(text: string): string {
  const [address = ''] = text.split('%');
  if (versionOf(address) === 'ipv4') return address;
  return new SocketAddress({ address, family: 'ipv6' }).address.replace(/^::ffff:(?=\d+\.)/, '');
}

const isMapped = (address: string): boolean => versionOf(address) !== versionOf(plainAddress(address));

const versionOf = (address: string): IPVersion => (address.includes(':') ? 'ipv6' : 'ipv4');
