import { expect, test } from '@jest/globals';
import { escapeHiddenInJson, hasHiddenCharacters } from '#platform/text/hidden-characters';
import { revealAsText, revealText } from '#platform/text/visible-text';
import { disguises } from '../../support/disguises.ts';
import { isNight } from '../../support/runs.ts';

/** Every code point but the space and the line break; by day every fiftieth of the planes that are all alike. */
const step = isNight ? 1 : 50;
const isTried = (at: number): boolean => at < 0x20000 || (at >= 0xe0000 && at < 0xe1000) || at % step === 0;
const all = Array.from({ length: 0x110000 }, (_, at) => at)
  .filter((at) => at !== 0x20 && at !== 0x0a && isTried(at))
  .map((at) => String.fromCodePoint(at));
const isUnseen = (character: string): boolean =>
  /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}\u{13441}\u{13442}\u{16FE4}]/u.test(character);

test('D1: pages, linter and JSON go by one table, for every code point there is', () => {
  const differing = all.filter((character) => {
    const text = `a${character}b`;
    const isShown = revealText(text).some(({ kind }) => kind === 'hidden');
    const isEscaped = escapeHiddenInJson(text) !== text;
    return [isShown, hasHiddenCharacters(text), isEscaped].some((result) => result !== isUnseen(character));
  });
  expect(differing.map((character) => character.codePointAt(0)?.toString(16))).toEqual([]);
});

test('JSON with escapes says the same', () => {
  const value = disguises.map(({ text }) => text);
  const json = escapeHiddenInJson(JSON.stringify(value));
  expect([JSON.parse(json), [...json].some(isUnseenButSpace)]).toEqual([value, false]);
});

const isUnseenButSpace = (character: string): boolean => character !== ' ' && isUnseen(character);

test.each(disguises)('$what has its number next to it', ({ text, code }) => {
  expect(revealAsText(text)).toMatch(new RegExp(`⟨[^⟩]*${code.replace('+', '\\+')}⟩`));
});
