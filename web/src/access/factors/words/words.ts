import { accessSecondFactorWords } from '#locales/access-second-factor';
import { language } from '../../../language/language.ts';

export const { words } = accessSecondFactorWords[language];
