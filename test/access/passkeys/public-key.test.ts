import { isoCBOR } from '@simplewebauthn/server/helpers';
import { expect, test } from '@jest/globals';
import { isStrongKey } from '#access/passkeys/rules';
import { keyKinds, newKey } from '../../support/nodes/passkey-keys.ts';

const cose = (...members: [number, unknown][]): Uint8Array => isoCBOR.encode(new Map(members) as never);
const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));
const rsaKey = (modulus: string, exponent: string): Uint8Array =>
  cose([1, 3], [3, -257], [-1, bytes(modulus)], [-2, bytes(exponent)]);
const edKey = (hex: string): Uint8Array => cose([1, 1], [3, -8], [-1, 6], [-2, bytes(hex)]);

test('a key is one of those that passkeys are asked for', async () => {
  const strong = await Promise.all(keyKinds.map(async (kind) => [kind, await isStrongKey(newKey(kind).cose)]));
  expect(strong.filter(([, isStrong]) => isStrong).map(([kind]) => kind)).toEqual(['ES256', 'EdDSA', 'RS256']);
});

test.each([
  ['an exponent of 1', rsaKey('c1'.repeat(256), '01')],
  ['a modulus that begins with zeros', rsaKey(`${'00'.repeat(128)}${'c1'.repeat(128)}`, '010001')],
  ['no modulus', cose([1, 3], [3, -257], [-2, bytes('010001')])],
  ['a point that is the neutral one', edKey(`01${'00'.repeat(31)}`)],
  ['a point of order 4', edKey('00'.repeat(32))],
  ['the same with the other sign', edKey(`${'00'.repeat(31)}80`)],
  ['a point of order 8', edKey('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a')],
  ['a point that is written in another way', edKey(`ee${'ff'.repeat(30)}7f`)],
  ['half a point', edKey('aa'.repeat(16))],
  ['no point', cose([1, 1], [3, -8], [-1, 6])],
  ['text', bytes('74657874')],
])('anyone could sign with a key of %s: it counts for nothing', async (_what, key) => {
  expect(await isStrongKey(key)).toBe(false);
});
