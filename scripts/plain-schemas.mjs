const contract = /\/src\/.*\/contract(?:\/[\w-]+)?\.ts$/;
const text = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/y;

/** Leaves out of the console what the contract says of its schemas for the OpenAPI document: no answer is checked by it. */
export const plainSchemas = () => ({
  name: 'plain-schemas',
  apply: 'build',
  enforce: 'pre',
  transform: (code, file) => (contract.test(file) ? { code: withoutMeta(code), map: null } : null),
});

/** The same code without any call of `meta`. */
function withoutMeta(code) {
  const start = code.indexOf('.meta(');
  if (start < 0) return code;
  let [depth, at] = [1, start + '.meta('.length];
  while (depth > 0) {
    text.lastIndex = at;
    const skipped = text.exec(code)?.[0].length ?? 1;
    if (skipped === 1) depth += Number(code[at] === '(') - Number(code[at] === ')');
    at += skipped;
  }
  return code.slice(0, start).trimEnd() + withoutMeta(code.slice(at));
}
