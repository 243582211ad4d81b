import { isIPv6 } from 'node:net';
import { expect, test } from '@jest/globals';
import { createReach } from '#platform/http/client/reachable-addresses';

const mayReach = (networks: string[], address: string): boolean =>
  createReach(networks)(address, isIPv6(address) ? 6 : 4);

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:93.184.215.14',
  '64:ff9b::7f00:1',
  'fe80::1',
  'fd00::1',
  'ff02::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
])('%s cannot be reached unless its network is allowed', (address) => {
  expect(mayReach([], address)).toBe(false);
  expect(mayReach([`${address}/${isIPv6(address) ? 128 : 32}`], address)).toBe(true);
  expect(mayReach(['10.99.0.0/16', 'fd99::/16'], address)).toBe(false);
});

test.each(['93.184.215.14', '172.32.0.1', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'])('%s is public', (address) => {
  expect(mayReach([], address)).toBe(true);
});
