import { parseCookie } from 'cookie';
import type { Request } from 'express';
import type { DisplayWords, SentenceWords, TextWords } from '#messages/display-words';
import { locales } from '#platform/text/formats';
import { chooseLanguage, isLanguage, languageCookie, type Language } from '#platform/text/language';
import { sentenceWords } from '#messages/sentence-words';
import { sharedWords } from '#messages/shared-words';
import { textWords } from '#messages/text-words';
import * as english from '../english.ts';
import * as german from '../german.ts';
import * as french from '../french.ts';

/** All texts of the hosted pages, in one language. */
export interface PageWords extends Pages {
  language: Language;
  locale: string;
  shared: DisplayWords & SentenceWords & TextWords;
}

type Pages = Pick<typeof english, 'proof' | 'question' | 'field' | 'result' | 'credential'>;

const pages: Record<Language, Pages> = { en: english, de: german, fr: french };

export const pageWords = (language: Language): PageWords => ({
  ...pages[language],
  language,
  locale: locales[language],
  shared: { ...sharedWords[language], ...sentenceWords[language], ...textWords[language] },
});

export const wordsFor = (request: Request): PageWords => pageWords(languageOf(request));

/** The language chosen in this browser, otherwise the first that it accepts. */
export function languageOf(request: Request): Language {
  const choice = parseCookie(request.headers.cookie ?? '')[languageCookie];
  return isLanguage(choice) ? choice : chooseLanguage(request.acceptsLanguages());
}
