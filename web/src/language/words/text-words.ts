import { textWords as inAll } from '#messages/text-words';
import { language } from '../language.ts';

/** Words about people and characters for all stored texts, in the language of this page. */
export const textWords = inAll[language];
