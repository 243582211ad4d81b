import { refusals } from '#locales/refusals.en';

/**
 * Why a person may not do something, with the English sentence; `{name}` stands for a value. A key never changes its
 * meaning: the console and the hosted pages word it in the reader's language.
 */
export const refusalSentences = refusals;

export type RefusalCode = keyof typeof refusalSentences;

/** A reason and what fills its sentence. */
export interface Refusal {
  code: RefusalCode;
  values?: Record<string, string> | undefined;
}

export const refusalCodes = Object.keys(refusalSentences) as RefusalCode[];

/** The sentence of a refusal in the language of `sentences`. */
export const formatRefusal = (
  { code, values = {} }: Refusal,
  sentences: Record<RefusalCode, string> = refusalSentences,
): string => sentences[code].replaceAll(/\{(\w+)\}/g, (_whole, name: string) => values[name] ?? '');
