/** The first line, for lists; pages for decisions show the whole text. */
export const firstLineOf = (text: string): string => text.trimStart().split('\n', 1)[0] ?? '';
