import { spoken } from '../../language/language.ts';
import * as english from './english-tables.ts';
import * as german from './german-tables.ts';
import * as french from './french-tables.ts';

export const { charts, listTable } = spoken<typeof english>({ en: english, de: german, fr: french });
