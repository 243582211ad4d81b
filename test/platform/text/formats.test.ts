import { expect, test } from '@jest/globals';
import { formatsIn } from '#platform/text/formats';
import { hasHiddenCharacters } from '#platform/text/hidden-characters';
import { languages } from '#platform/text/language';

test.each(languages)('%s: numbers, shares and spans stand in sentences without a hidden character', (language) => {
  const { number, percent, count, duration, all } = formatsIn(language);
  const texts = [
    number(12_400),
    number(-1_234_567.5),
    percent(12.5),
    count(12_400, { one: 'x', other: 'xs' }),
    duration(8 * 3_600_000),
    duration(1_000 * 86_400_000),
    all(['a', 'b', 'c']),
  ];
  expect(texts.filter(hasHiddenCharacters)).toEqual([]);
});

test('French groups digits and sets a share apart, by plain spaces', () => {
  const { number, percent } = formatsIn('fr');
  expect([number(12_400), percent(12.5)]).toEqual(['12 400', '12,5 %']);
});
