import { existsSync, readFileSync } from 'node:fs';

/** A test that shows what a row of test/proofs says. */
export interface Proof {
  /** Under test/, without `.test.ts`. */
  file: string;
  /** The test, after the group it stands in if its own title does not tell. */
  titles: string[];
}

export const readRows = <Row>(name: string): Row => JSON.parse(readFileSync(`test/proofs/${name}.json`, 'utf8')) as Row;

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
