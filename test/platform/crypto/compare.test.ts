import { expect, test } from '@jest/globals';
import { equalBytes } from '#platform/crypto/random';

test.each<[string, string, boolean]>([
  ['', '', true],
  ['00ff', '00ff', true],
  ['00ff', '00fe', false],
  ['80ff', '00ff', false],
  ['00ff', '00', false],
  ['', '00', false],
])('%s and %s: %s', (a, b, equal) => {
  expect(equalBytes(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'))).toBe(equal);
});
