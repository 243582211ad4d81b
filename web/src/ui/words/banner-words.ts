import { spoken } from '../../language/language.ts';
import * as english from './english-banners.ts';
import * as german from './german-banners.ts';
import * as french from './french-banners.ts';

export const { breakGlass, due, stopped, system } = spoken<typeof english>({ en: english, de: german, fr: french });
