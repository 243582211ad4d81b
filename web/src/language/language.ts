import { formatsIn, locales } from '#platform/text/formats';
import { chooseLanguage, isLanguage, languageCookie, type Language } from '#platform/text/language';
import { sharedWords } from '#messages/shared-words';

/** Language of this page: the only one in a built page; in development, the one this browser prefers. */
export const language: Language = builtLanguage() ?? chosenLanguage() ?? chooseLanguage(browserLanguages());
export const locale = locales[language];
export const formats = formatsIn(language);
export const shared = sharedWords[language];

/** Language that the person chose, or null if the browser decides. */
export function chosenLanguage(): Language | null {
  if (typeof document === 'undefined') return null;
  const values = document.cookie.split('; ').map((cookie) => cookie.split('='));
  const value = values.find(([name]) => name === languageCookie)?.[1];
  return isLanguage(value) ? value : null;
}

/** Keeps the choice in this browser for a year, where the hosted pages read it too, and reloads the page in it. */
export function chooseToRead(choice: Language | null): void {
  const lifetime = choice === null ? 0 : 31_536_000;
  document.cookie = `${languageCookie}=${choice ?? ''}; path=/; max-age=${lifetime}; samesite=lax`;
  location.reload();
}

/** Language of a built page, which Assentry chose by this browser's preference. */
function builtLanguage(): Language | null {
  if (typeof document === 'undefined') return null;
  const built = document.documentElement.dataset['language'];
  return isLanguage(built) ? built : null;
}

function browserLanguages(): readonly string[] {
  return typeof document === 'undefined' ? [] : navigator.languages;
}
