import { spoken } from '../../../../language/language.ts';
import * as english from '../english-provider.ts';
import * as german from '../german-provider.ts';
import * as french from '../french-provider.ts';

export const { providers } = spoken<typeof english>({ en: english, de: german, fr: french });
