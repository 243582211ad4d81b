/** Controls besides line breaks and tabs, half characters, marks of direction, and what takes no room. */
export const hiddenCharacters =
  /(?![\t\n])[\p{Cc}\p{Cs}\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu;

/** Such as "U+202E". */
export const codePoint = (one: string): string =>
  `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
