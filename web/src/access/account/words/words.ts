import { accountWords } from '#locales/account';
import { language } from '../../../language/language.ts';
import { accountProvidersWords } from '#locales/account-providers';

/** The words of one's own account. */
export const { appearance, credentials, devices, passkeys, password, sessions, settings, totp, words } =
  accountWords[language];

export const { providers } = accountProvidersWords[language];
