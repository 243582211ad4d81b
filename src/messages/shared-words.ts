import type { DisplayWords } from './display-words.ts';
import { displayWords as english } from './english-display.ts';
import { displayWords as german } from './german-display.ts';
import { displayWords as french } from './french-display.ts';
import type { Language } from '#platform/text/language';

/** Words that several displays share, in every language. */
export const sharedWords: Record<Language, DisplayWords> = { en: english, de: german, fr: french };
