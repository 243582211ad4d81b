import { spoken } from '../../../lib/language/language.ts';
import * as english from './english.ts';
import * as german from './german.ts';

export const { roles } = spoken<typeof english>({ en: english, de: german });
