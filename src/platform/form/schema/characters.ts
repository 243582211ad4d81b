import { hasHiddenCharacters } from '../../text/hidden-characters/hidden-characters.ts';

/** Lengths are code points, as JSON Schema counts them: an emoji is one character, not two. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

const lineBreaksAndTabs = /[\t\n\r]/g;
// A lone surrogate has no UTF-8 form, so two different answers would seal and digest alike.
const unkeepable = /[\0\p{Cs}]/u;

/** For what is read in paragraphs: line breaks and tabs are fine. */
export const hasHiddenCharactersExceptBreaks = (text: string): boolean =>
  hasHiddenCharacters(text.replaceAll(lineBreaksAndTabs, ' '));

export const hasUnkeepableCharacters = (text: string): boolean => unkeepable.test(text);

export const isBlank = (text: string): boolean => text.trim() === '';
