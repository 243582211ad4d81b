import { frameBannersWords } from '#locales/frame-banners';
import { language } from '../../language/language.ts';

export const { breakGlass, due, stopped, system } = frameBannersWords[language];
