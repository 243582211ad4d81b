import { spoken } from '../../../language/language.ts';
import * as english from './english.ts';
import * as german from './german.ts';
import * as french from './french.ts';
import * as providerWordsEnglish from './english-provider.ts';
import * as providerWordsGerman from './german-provider.ts';
import * as providerWordsFrench from './french-provider.ts';

/** The words of one's own account. */
export const { appearance, credentials, devices, passkeys, password, sessions, settings, totp, words } = spoken<
  typeof english
>({
  en: english,
  de: german,
  fr: french,
});

export const { providers } = spoken<typeof providerWordsEnglish>({
  en: providerWordsEnglish,
  de: providerWordsGerman,
  fr: providerWordsFrench,
});
