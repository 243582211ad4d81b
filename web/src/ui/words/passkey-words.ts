import { accessPasskeyWords } from '#locales/access-passkey';
import { language } from '../../language/language.ts';

export const { device, fresh, passkeys } = accessPasskeyWords[language];
