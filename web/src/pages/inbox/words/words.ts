import { spoken } from '../../../lib/language/language.ts';
import * as english from './english.ts';
import * as german from './german.ts';

/** The words of the inbox. */
export const { declineAll, emptyStates, splitView, together, words } = spoken<typeof english>({
  en: english,
  de: german,
});
