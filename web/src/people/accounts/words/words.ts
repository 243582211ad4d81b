import { spoken } from '../../../language/language.ts';
import * as english from './english.ts';
import * as german from './german.ts';
import * as french from './french.ts';

export const { pairs } = spoken<typeof english>({ en: english, de: german, fr: french });
