import { connectWords } from '#locales/connect';
import { language } from '../../../language/language.ts';

/** Words of the first steps. */
export const { connect, people, policy, snippets, steps, test, words } = connectWords[language];
