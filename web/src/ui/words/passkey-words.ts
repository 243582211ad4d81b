import { spoken } from '../../language/language.ts';
import * as english from './english-passkey.ts';
import * as german from './german-passkey.ts';
import * as french from './french-passkey.ts';

export const { device, fresh, passkeys } = spoken<typeof english>({ en: english, de: german, fr: french });
