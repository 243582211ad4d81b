import { refusalsWords } from '#locales/refusals';
import type { Language } from '#platform/text/language';
import type { DisplayWords } from './display-words.ts';

/** Words that several displays share, in every language. */
export const sharedWords: Record<Language, DisplayWords> = refusalsWords;
