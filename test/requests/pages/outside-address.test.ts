import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { outsideAddress } from '#requests/pages/verbs/callback';

const state = 'x'.repeat(43);

test('no address leads to another host, path or question once it has a state', () => {
  const address = fc
    .webUrl({ withQueryParameters: true, withFragments: true, validSchemes: ['https'] })
    .map((text) => new URL(text).href);
  fc.assert(
    fc.property(address, (url) => {
      const [before, led] = [new URL(url), new URL(outsideAddress({ url, state }))];
      expect([led.host, led.pathname, led.hash]).toEqual([before.host, before.pathname, before.hash]);
      expect(led.searchParams.getAll('state').at(-1)).toBe(state);
      expect(led.search.startsWith(before.search)).toBe(true);
    }),
    {
      examples: [
        ['https://a.example/??'],
        ['https://a.example/?'],
        ['https://a.example/?a&'],
        ['https://a.example/#?'],
      ],
    },
  );
});
