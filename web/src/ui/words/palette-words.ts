import { spoken } from '../../language/language.ts';
import * as english from './english-palette.ts';
import * as german from './german-palette.ts';
import * as french from './french-palette.ts';

export const { palette, shortcuts } = spoken<typeof english>({ en: english, de: german, fr: french });
