import { accountWords } from '#locales/account';
import { language } from '../../../language/language.ts';
import { accountProvidersWords } from '#locales/account-providers';

/** Words of a person's own settings. */
export const { appearance, credentials, devices, passkeys, password, sessions, settings, totp, words } =
  accountWords[language];

export const { providers } = accountProvidersWords[language];
