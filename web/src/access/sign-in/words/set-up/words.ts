import { accessSetUpWords } from '#locales/access-set-up';
import { language } from '../../../../language/language.ts';
import { newPassword } from '../../../../ui/words/words.ts';

const { page } = accessSetUpWords[language];
const { nameMissing, emailMissing, ...rest } = page;

export const words = { ...rest, faults: { name: nameMissing, email: emailMissing, password: newPassword.tooShort } };
