import type { SentenceWords } from './display-words.ts';
import { sentenceWords as english } from './english-sentences.ts';
import { sentenceWords as german } from './german-sentences.ts';
import { sentenceWords as french } from './french-sentences.ts';
import type { Language } from '#platform/text/language';

/** What is said of requests, policies and answers, in every language. */
export const sentenceWords: Record<Language, SentenceWords> = { en: english, de: german, fr: french };
