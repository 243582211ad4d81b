import * as english from './english.ts';
import * as german from './german.ts';
import * as french from './french.ts';
import { spoken } from '../language.ts';

/** Words that all pages share: times, characters, permissions. */
export const { amounts, answers, colon, drafts, permissions, times } = spoken<typeof english>({
  en: english,
  de: german,
  fr: french,
});
