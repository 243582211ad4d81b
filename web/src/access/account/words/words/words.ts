import { spoken } from '../../../../language/language.ts';
import * as english from '../english.ts';
import * as german from '../german.ts';
import * as french from '../french.ts';

/** The words of one's own account. */
export const { appearance, credentials, devices, passkeys, password, sessions, settings, totp, words } = spoken<
  typeof english
>({
  en: english,
  de: german,
  fr: french,
});
