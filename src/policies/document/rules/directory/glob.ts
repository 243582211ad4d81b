/**
 * Tests a whole text against a pattern in which `*` stands for any characters, including none.
 * Searches each part between stars once, from left to right, without backtracking.
 */
export function matchesGlob(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const start = text.indexOf(part, at);
    if (start < 0 || start + part.length > end) return false;
    at = start + part.length;
  }
  return true;
}

export const hasStar = (pattern: string): boolean => pattern.includes('*');
