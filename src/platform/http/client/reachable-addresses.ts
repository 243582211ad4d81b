import { lookup } from 'node:dns/promises';
import { BlockList, isIP, type IPVersion } from 'node:net';

/** Networks that are not public, by IANA's registries. Of IPv6, everything outside 2000::/3 is not. */
const closed4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
const closed6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];
const open6 = '2000::/3';

/** Networks of this machine. */
export const loopbackNetworks = ['127.0.0.0/8', '::1/128'] as const;

/** Checks whether a request may go to an address. */
export type Reach = (address: string, family: number) => boolean;

/** Checks whether a request may go to an address: if it is public, or in one of these networks. */
export function createReach(networks: readonly string[]): Reach {
  const [allowed, closed, global] = [
    listNetworks(networks),
    listNetworks([...closed4, ...closed6]),
    listNetworks([open6]),
  ];
  return (address, family) => {
    const version = family === 6 ? 'ipv6' : 'ipv4';
    const isPublic = !closed.check(address, version) && (version === 'ipv4' || global.check(address, version));
    return isPublic || allowed.check(address, version);
  };
}

/** Address of a host, looked up once: the checked address is the connected one. Null if none of its addresses is allowed. */
export async function reachableAddress({ hostname }: URL, mayReach: Reach): Promise<string | null> {
  const addresses = await lookup(bare(hostname), { all: true });
  return addresses.find(({ address, family }) => mayReach(address, family))?.address ?? null;
}

/** Options of a request of Node for this URL that connects to this address, whatever the name leads to by then. */
export function pinnedTo(address: string, { protocol, hostname, port, pathname, search }: URL) {
  const name = bare(hostname);
  return {
    host: address,
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    // The certificate must be for the name, though the connection goes to the address.
    servername: isIP(name) === 0 ? name : '',
    path: `${pathname}${search}`,
  };
}

/** These networks as one list; throws if one is invalid. */
export function listNetworks(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/');
    list.addSubnet(address, Number(bits), versionOf(address));
  }
  return list;
}

/** Host without the brackets of IPv6. */
const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

const versionOf = (address: string): IPVersion => (address.includes(':') ? 'ipv6' : 'ipv4');
