import { textWords as inAll } from '#messages/text-words';
import { language } from '../language.ts';

/** What is said of people and characters wherever a stored text is shown, in the language of this page. */
export const textWords = inAll[language];
