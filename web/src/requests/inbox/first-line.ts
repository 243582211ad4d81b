/** The first line, for lists; the whole text is shown where decisions are made. */
export const firstLineOf = (text: string): string => text.trimStart().split('\n', 1)[0] ?? '';
