import { spoken } from '../../language/language.ts';
import * as english from './english-factor.ts';
import * as german from './german-factor.ts';
import * as french from './french-factor.ts';

export const { factor } = spoken<typeof english>({ en: english, de: german, fr: french });
