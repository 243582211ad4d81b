import type { IPVersion } from 'node:net';
import { listNetworks } from '#platform/nodes/verbs/networks';

/** The networks of IANA's registries that are not public. Of IPv6, everything outside 2000::/3 is not. */
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

/** Tells of an address whether a webhook may go there: if it is public, or in one of these networks. */
export function createReach(networks: readonly string[]): (address: string, family: number) => boolean {
  const [allowed, closed, global] = [
    listNetworks(networks),
    listNetworks([...closed4, ...closed6]),
    listNetworks([open6]),
  ];
  return (address, family) => {
    const version = versionOf(family);
    const isPublic = !closed.check(address, version) && (version === 'ipv4' || global.check(address, version));
    return isPublic || allowed.check(address, version);
  };
}

const versionOf = (family: number): IPVersion => (family === 6 ? 'ipv6' : 'ipv4');
