import { sentenceWords } from '#messages/sentence-words';
import { language } from './language.ts';

/** Sentences about requests, policies and answers, in the language of this page. */
export const sentences = sentenceWords[language];
