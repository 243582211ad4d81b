import { spoken } from '../../../language/language.ts';
import * as englishDecide from './english-decide.ts';
import * as englishSteps from './english-steps.ts';
import * as english from './english.ts';
import * as germanDecide from './german-decide.ts';
import * as frenchDecide from './french-decide.ts';
import * as germanSteps from './german-steps.ts';
import * as frenchSteps from './french-steps.ts';
import * as german from './german.ts';
import * as french from './french.ts';

/** The words of a request's page: what it shows. */
export const {
  changed,
  explanation,
  look,
  nameHints,
  others,
  path,
  policy,
  result,
  url,
  what,
  who,
  why,
  withoutContent,
  words,
} = spoken<typeof english>({ en: english, de: german, fr: french });

export const { card, decide, field, signals } = spoken<typeof englishDecide>({
  en: englishDecide,
  de: germanDecide,
  fr: frenchDecide,
});

/** The words of everything else people can do with it. */
export const { allowing, breakGlass, comparison, discussion, editing, lookBack, more, reasons, revisions, revoking } =
  spoken<typeof englishSteps>({ en: englishSteps, de: germanSteps, fr: frenchSteps });
