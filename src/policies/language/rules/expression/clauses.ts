/** Strings and comments: nothing in them joins or nests. Raw strings end where the library ends them, as others do. */
const opaque = /"""(?:\\[^]|[^\\])*?"""|'''(?:\\[^]|[^\\])*?'''|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\/.*/y;

/**
 * The parts of an expression that are joined by `&&` outside of any bracket, as they are written.
 * Only for an expression whose outermost operator is `&&`.
 */
export function splitClauses(text: string): string[] {
  const clauses: string[] = [];
  let [depth, begin, at] = [0, 0, 0];
  while (at < text.length) {
    opaque.lastIndex = at;
    const skipped = opaque.exec(text)?.[0].length;
    if (skipped) {
      at += skipped;
      continue;
    }
    const character = text.charAt(at);
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
    const isJoint = depth === 0 && text.startsWith('&&', at);
    if (isJoint) clauses.push(text.slice(begin, at).trim());
    at += isJoint ? 2 : 1;
    if (isJoint) begin = at;
  }
  return [...clauses, text.slice(begin).trim()];
}
