import { expect, test } from '@jest/globals';
import { hueOf, initialsOf } from '../../web/src/ui/Initials.tsx';

test.each([
  ['Ada Lovelace', 'AL'],
  ['Jean-Luc van der Berg', 'JB'],
  ['plato', 'P'],
  ['东京电力', '东'],
  ['  \u200b ', '?'],
  ['élise o’hara', 'ÉO'],
])('the initials of %j are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test('a colour follows from the id alone, and ids that differ in one letter seldom share one', () => {
  const ids = Array.from({ length: 200 }, (_, at) => `usr_0CDfE5hPq8aY2mWc${at}`);
  const hues = ids.map(hueOf);
  expect(hueOf(ids[0]!)).toBe(hues[0]);
  expect(new Set(hues).size).toBe(24);
  expect(hues.filter((hue, at) => hue === hues[at - 1]).length).toBeLessThan(30);
});
