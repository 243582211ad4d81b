/** The first key that a reader which ignores case would take for a member of another spelling; null if there is none. */
export function otherSpellingIn(value: object, members: readonly string[]): string | null {
  const folded = new Set(members.map(fold));
  return Object.keys(value).find((key) => !members.includes(key) && folded.has(fold(key))) ?? null;
}

/**
 * What is left of a name without case, marks, compatibility forms, spaces, characters that are not seen and what follows
 * a U+0000.
 */
export const fold = (name: string): string =>
  name
    .replace(/\0.*/su, '')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replaceAll(/[\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}]/gu, '');
