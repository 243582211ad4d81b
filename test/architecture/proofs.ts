import { existsSync, readFileSync } from 'node:fs';

/** A test that a page of the docs names. */
export interface Proof {
  file: string;
  /** The test, after the group it stands in if its own title does not tell. */
  titles: string[];
}

/** Reads a cell of proofs: none from what is no proof. */
export const readProofs = (cell: string): Proof[] =>
  cell
    .replaceAll('\\|', '|')
    .split('<br>')
    .flatMap((part) => {
      if (!part.startsWith('`')) return [];
      const [file = '', ...titles] = part.slice(1, -1).split('` › `');
      return [{ file, titles }];
    });

/** Those that name no test, or one that is not there. */
export const missingProofs = (proofs: Proof[]): Proof[] =>
  proofs.filter(({ file, titles }) => titles.length === 0 || titles.some((title) => !titlesIn(file).has(title)));

/** The titles of tests and of groups of them, and what stands first in a row of cases. */
function titlesIn(file: string): Set<string> {
  const path = `test/${file}.test.ts`;
  if (!existsSync(path)) return new Set();
  const text = readFileSync(path, 'utf8');
  const title = /\(\s*(['"`])((?:\\.|(?!\1).)+)\1,\s*(?:async\s*)?(?:\(|\w+\s*=>)/g;
  const row = /\[\s*(['"`])((?:\\.|(?!\1).)+)\1,/g;
  return new Set(
    [title, row].flatMap((form) => [...text.matchAll(form)].map(([, , name = '']) => name.replaceAll(/\\(.)/g, '$1'))),
  );
}
