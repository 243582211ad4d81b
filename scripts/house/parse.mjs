import { readFileSync } from 'node:fs';
import { parseSync } from '@swc/core';

/** Imports, re-exports and declarations of a file, with character offsets. */
export function parse(file, text = readFileSync(file, 'utf8')) {
  const ast = parseSync(text, { syntax: 'typescript', tsx: file.endsWith('x'), target: 'es2024' });
  const bytes = Buffer.from(text);
  const isAscii = bytes.length === text.length;
  // swc counts bytes; 1-based
  const base = findBase(ast, text);
  const at = (pos) => (isAscii ? pos - base : bytes.subarray(0, pos - base).toString('utf8').length);
  const items = ast.body.map((node) => ({ node, start: at(node.span.start), end: at(node.span.end) }));
  return { text, items };
}
function findBase(ast, text) {
  // The first item of the module begins at the first code character: skip comments and blanks.
  if (ast.body.length === 0) return 0;
  const m = /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*/.exec(text)[0];
  return ast.body[0].span.start - Buffer.byteLength(m);
}
