import type { TextWords } from './display-words.ts';
import { textWords as english } from './english-text.ts';
import { textWords as german } from './german-text.ts';
import { textWords as french } from './french-text.ts';
import type { Language } from '#platform/text/language';

/** What is said of people and characters wherever a stored text is shown, in every language. */
export const textWords: Record<Language, TextWords> = { en: english, de: german, fr: french };
