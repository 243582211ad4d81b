import { spoken } from '../../language/language.ts';
import * as english from './english-gallery.ts';
import * as german from './german-gallery.ts';
import * as french from './french-gallery.ts';

export const { gallery } = spoken<typeof english>({ en: english, de: german, fr: french });
