/** Does a text have every word of a search, in any order and case? */
export function hasWords(text: string, search: string): boolean {
  const folded = fold(text);
  return fold(search)
    .split(/\s+/)
    .every((word) => folded.includes(word));
}

const fold = (text: string): string => text.toLowerCase().normalize('NFC');
