// Prints what the house holds: files and lines of src by subject and role, of the console by subject, the lines of
// sentences, and the words of the docs. `npm run rooms -- --json` prints the same as one JSON document.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { roleOf, roles } from '../test/architecture/roles.ts';

interface Size {
  files: number;
  lines: number;
}

const listed = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...patterns], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '');
const linesOf = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1;
const wordsOf = (file: string): number => readFileSync(file, 'utf8').split(/\s+/).filter(Boolean).length;

/** The sizes of files by what they are counted under. */
function sizesBy(files: string[], keyOf: (file: string) => string): Map<string, Size> {
  const sizes = new Map<string, Size>();
  for (const file of files) {
    const size = sizes.get(keyOf(file)) ?? { files: 0, lines: 0 };
    sizes.set(keyOf(file), { files: size.files + 1, lines: size.lines + linesOf(file) });
  }
  return new Map([...sizes].sort(([first], [second]) => (first < second ? -1 : 1)));
}

const isCode = (file: string): boolean => /\.tsx?$/.test(file);
const sources = listed('src');
const pages = listed('web/src');
const bySubject = sizesBy(sources.filter(isCode), (file) => file.split('/')[1] ?? '');
const byRole = sizesBy(sources.filter(isCode), (file) => roleOf(file.slice('src/'.length)) ?? '');
const byPage = sizesBy(pages.filter(isCode), (file) => (file.split('/').length > 3 ? (file.split('/')[2] ?? '') : '.'));
const house = sizesBy(
  [...sources, ...pages].filter((file) => /\.(?:tsx?|css)$/.test(file)),
  () => 'all',
).get('all');
const totals = {
  typescriptFiles: [...sources, ...pages].filter(isCode).length,
  lines: house?.lines ?? 0,
  linesOfSentences: listed('locales').reduce((sum, file) => sum + linesOf(file), 0),
  wordsOfDocs: [...listed('docs/*.md', 'docs/**/*.md'), 'README.md', 'CHANGELOG.md'].reduce(
    (sum, file) => sum + wordsOf(file),
    0,
  ),
};

if (process.argv.includes('--json')) {
  const plain = (sizes: Map<string, Size>) => Object.fromEntries(sizes);
  console.log(JSON.stringify({ ...totals, bySubject: plain(bySubject), byRole: plain(byRole), byPage: plain(byPage) }));
} else {
  print('src by subject', bySubject);
  print('src by role', new Map([...roles, 'sdk', 'gateway'].flatMap((role) => entryOf(byRole, role))));
  print('web/src by subject', byPage);
  console.log(`TypeScript files  ${totals.typescriptFiles}`);
  console.log(
    `Lines             ${totals.lines} (TypeScript and CSS), and ${totals.linesOfSentences} of sentences (JSON)`,
  );
  console.log(`Words of docs     ${totals.wordsOfDocs}`);
}

function entryOf(sizes: Map<string, Size>, key: string): [string, Size][] {
  const size = sizes.get(key);
  return size === undefined ? [] : [[key, size]];
}

function print(title: string, sizes: Map<string, Size>): void {
  console.log(title);
  for (const [name, { files, lines }] of sizes)
    console.log(`  ${name.padEnd(12)}${String(files).padStart(5)} files${String(lines).padStart(8)} lines`);
  console.log('');
}
