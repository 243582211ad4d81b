import { expect, test } from '@jest/globals';
import { readClaims } from '../../../web/src/access/workloads/WorkloadsPage.tsx';

test('claims stand one a line, and the text is everything behind the first =', () => {
  expect(readClaims('')).toEqual({ claims: {}, wrong: null });
  expect(readClaims(' repository = acme/ledger \n\nref=a=b\r\n')).toEqual({
    claims: { repository: 'acme/ledger', ref: 'a=b' },
    wrong: null,
  });
  expect(Object.hasOwn(readClaims('__proto__=x').claims, '__proto__')).toBe(true);
});

test.each(['repository', 'repository=', '=acme', 'ref=a\nrepository', 'ref=a\nref=b'])(
  '%j is refused with the line that is wrong',
  (text) => expect(readClaims(text).wrong).toBe(text.split('\n').at(-1)),
);
