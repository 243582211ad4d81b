import { spoken } from '../../../language/language.ts';
import * as english from './english.ts';
import * as german from './german.ts';
import * as french from './french.ts';

/** The words of the first steps. */
export const { connect, people, policy, snippets, steps, test, words } = spoken<typeof english>({
  en: english,
  de: german,
  fr: french,
});
