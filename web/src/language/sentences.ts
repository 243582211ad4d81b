import { sentenceWords } from '#messages/sentence-words';
import { language } from './language.ts';

/** What is said of requests, policies and answers, in the language of this page. */
export const sentences = sentenceWords[language];
