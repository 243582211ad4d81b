import { accessFactorWords } from '#locales/access-factor';
import { language } from '../../language/language.ts';

export const { factor } = accessFactorWords[language];
