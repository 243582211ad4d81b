import { peoplePairsWords } from '#locales/people-pairs';
import type { PairAnswer, PairSign } from '#people/accounts/contract';
import { language } from '../../../language/language.ts';

const { signs, answers, ...rest } = peoplePairsWords[language].pairs;

export const pairs = {
  ...rest,
  sign: (sign: PairSign): string => signs[sign],
  answer: (answer: PairAnswer): string => answers[answer],
};
