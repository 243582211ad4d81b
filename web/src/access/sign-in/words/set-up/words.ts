import { spoken } from '../../../../language/language.ts';
import { newPassword } from '../../../../ui/words/words.ts';
import * as english from './english.ts';
import * as german from './german.ts';
import * as french from './french.ts';

const { page } = spoken<typeof english>({ en: english, de: german, fr: french });
const { nameMissing, emailMissing, ...rest } = page;

export const words = { ...rest, faults: { name: nameMissing, email: emailMissing, password: newPassword.tooShort } };
