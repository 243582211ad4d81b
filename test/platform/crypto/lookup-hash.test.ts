import { expect, test } from '@jest/globals';
import { lookupHash, lookupHashes } from '#platform/crypto/key-ring';
import { sha256 } from '#platform/crypto/digest';
import { foreignRing, newRing, oldRing, rotatedRing } from './rings.ts';

test('the same parts are found again', () => {
  expect(lookupHash(oldRing, 'session', 'srv', 's1')).toHaveLength(32);
  expect(lookupHash(oldRing, 'session', 'srv', 's1')).toEqual(lookupHash(oldRing, 'session', 'srv', 's1'));
});

test('other parts, another cut, another label and another installation have other hashes', () => {
  const hashes = [
    lookupHash(oldRing, 'session', 'srv', 's1'),
    lookupHash(oldRing, 'session', 'srv', 's2'),
    lookupHash(oldRing, 'session', 'srvs', '1'),
    lookupHash(oldRing, 'session', 'srvs1'),
    lookupHash(oldRing, 'session', 's1', 'srv'),
    lookupHash(oldRing, 'principal', 'srv', 's1'),
    lookupHash(oldRing, 'idempotency', 'srv', 's1'),
    lookupHash(foreignRing, 'session', 'srv', 's1'),
    lookupHash(newRing, 'session', 'srv', 's1'),
  ];
  expect(new Set(hashes.map((hash) => hash.toString('hex'))).size).toBe(hashes.length);
});

test('CR-05: the hash is keyed, so that a dump cannot be searched for a known name', () => {
  expect(lookupHash(oldRing, 'principal', 'alice')).not.toEqual(sha256('alice'));
});

test('CR-06: what was stored before a rotation is found during it', () => {
  const stored = lookupHash(oldRing, 'idempotency', 'key-1');
  expect(lookupHashes(rotatedRing, 'idempotency', 'key-1')).toEqual([
    lookupHash(newRing, 'idempotency', 'key-1'),
    stored,
  ]);
  expect(lookupHash(rotatedRing, 'idempotency', 'key-1')).toEqual(lookupHash(newRing, 'idempotency', 'key-1'));
});
