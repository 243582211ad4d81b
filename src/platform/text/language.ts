/** The languages of the displays. Servers, agents and operators get English. */
export const languages = ['en', 'de', 'fr'] as const;
export type Language = (typeof languages)[number];

/** The cookie that keeps what a person chose in this browser, for the console and the hosted pages alike. */
export const languageCookie = 'assentry-language';

export const isLanguage = (text: unknown): text is Language => languages.some((language) => language === text);

/** The first of these tags, best first, that Assentry has texts for: `de-AT` is German. English if there is none. */
export const chooseLanguage = (tags: readonly string[]): Language =>
  tags.map((tag) => tag.toLowerCase().split('-')[0]).find(isLanguage) ?? 'en';
