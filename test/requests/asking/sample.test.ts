import { expect, test } from '@jest/globals';
import { createKeyRing } from '#platform/crypto/key-ring';
import { isSampled } from '#requests/asking/verbs/prepare';

const ringOf = (secret: string) => createKeyRing([{ kid: 'k1', secret: secret.repeat(32) }]);
const requests = Array.from({ length: 2000 }, (_, at) => ({ id: `eli_${at}`, digest: 'ab'.repeat(32) }));
const drawnUnder = (secret: string, percent: number | null) => {
  const ring = ringOf(secret);
  return requests.filter((request) => isSampled(ring, request, percent)).map(({ id }) => id);
};

test('draws the share that the policy says, and the same ones again', () => {
  expect(drawnUnder('a', null)).toEqual([]);
  expect(drawnUnder('a', 100)).toHaveLength(requests.length);
  const drawn = drawnUnder('a', 5);
  expect(drawn.length).toBeGreaterThan(60);
  expect(drawn.length).toBeLessThan(140);
  expect(drawnUnder('a', 5)).toEqual(drawn);
});

test('draws others under another secret: what is public about a request does not tell', () => {
  const others = new Set(drawnUnder('b', 5));
  const shared = drawnUnder('a', 5).filter((id) => others.has(id));
  expect(shared.length).toBeLessThan(30);
});
