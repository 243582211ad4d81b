import { parseCookie } from 'cookie';
import type { Request } from 'express';
import { locales } from '../../../model/words/formats.ts';
import { chooseLanguage, isLanguage, languageCookie, type Language } from '../../../model/words/language.ts';
import { sharedWords, type SharedWords } from '../../../model/words/shared-words.ts';
import * as english from './english.ts';
import * as german from './german.ts';

/** All texts of the hosted pages, in one language. */
export interface PageWords extends Pages {
  language: Language;
  locale: string;
  shared: SharedWords;
}

type Pages = Pick<typeof english, 'proof' | 'question' | 'field' | 'result'>;

const pages: Record<Language, Pages> = { en: english, de: german };

export const pageWords = (language: Language): PageWords => ({
  ...pages[language],
  language,
  locale: locales[language],
  shared: sharedWords[language],
});

/** In the language chosen in this browser, otherwise the first that it accepts. */
export function wordsFor(request: Request): PageWords {
  const choice = parseCookie(request.headers.cookie ?? '')[languageCookie];
  return pageWords(isLanguage(choice) ? choice : chooseLanguage(request.acceptsLanguages()));
}
