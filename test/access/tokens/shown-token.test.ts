import { expect, test } from '@jest/globals';
import { createKeyRing } from '#platform/crypto/key-ring';
import { mintShownToken, readShownToken } from '#access/tokens/rules';

const secret = (name: string) => ({ kid: name, secret: `${name} is a secret of more than 32 characters` });
const ring = createKeyRing([secret('a')]);
const shown = { user: 'usr_1', elicitation: 'eli_1', digest: 'd'.repeat(64) };
const token = mintShownToken(ring, shown, 1_800_000_000_000);

test('proves when something was shown, also after the secret changed', () => {
  expect(readShownToken(ring, token, shown)).toBe(1_800_000_000_000);
  expect(readShownToken(createKeyRing([secret('b'), secret('a')]), token, shown)).toBe(1_800_000_000_000);
});

test.each([
  ['another person', token, { ...shown, user: 'usr_2' }],
  ['another request', token, { ...shown, elicitation: 'eli_2' }],
  ['other bytes', token, { ...shown, digest: 'e'.repeat(64) }],
  ['an earlier moment', token.replace('1800000000000', '1700000000000'), shown],
  ['the same moment in another spelling', token.replace('.18', '.018'), shown],
  ['a secret that is not known', token.replace(/^a/, 'b'), shown],
  ['no proof', '', shown],
])('proves nothing for %s', (_name, text, about) => {
  expect(readShownToken(ring, text, about)).toBeNull();
});

test('another installation believes none', () => {
  expect(readShownToken(createKeyRing([{ ...secret('c'), kid: 'a' }]), token, shown)).toBeNull();
});
