import { spoken } from '../../language/language.ts';
import * as englishLife from './english-life.ts';
import * as english from './english.ts';
import * as germanLife from './german-life.ts';
import * as frenchLife from './french-life.ts';
import * as german from './german.ts';
import * as french from './french.ts';

/** The words of the policy pages: the document, and the life of its versions. */
export const { check, difference, editor, form, marks, operator, starting } = spoken<typeof english>({
  en: english,
  de: german,
  fr: french,
});
export const { callTrial, draft, list, shadow, simulator, steps, version } = spoken<typeof englishLife>({
  en: englishLife,
  de: germanLife,
  fr: frenchLife,
});

/** The choices of a control, from values and their words. */
export const choicesOf = <Value extends string>(words: Record<Value, string>): { value: Value; label: string }[] =>
  (Object.keys(words) as Value[]).map((value) => ({ value, label: words[value] }));
