// Writes the table of characters that are drawn like one ASCII character, from the Unicode table of confusables (UTS #39)
// as the package `unhomoglyph` has it. Left out are characters whose compatibility form (NFKC) is one ASCII character: the rule asks
// JavaScript for these. `--check` writes nothing and fails if the file is not what it would write.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const file = new URL('../src/platform/text/skeletons.ts', import.meta.url);
const confusables = createRequire(import.meta.url)('unhomoglyph/data.json');
// A letter of another script in a Latin word is marked whatever it looks like; letters of these scripts may fill a word.
const filling =
  /[\p{Lm}\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}]/u;
// Digits of other scripts and characters beyond the first plane have rules of their own.
const isListed = (character) =>
  character <= '\uFFFF' && !/\p{Nd}/u.test(character) && (!/\p{L}/u.test(character) || filling.test(character));
const isAscii = (text) => /^[\u0021-\u007E]+$/.test(text);

/** Dots and a dash that Unicode's table compares with others of their kind; browsers read the dots as dots of a host. */
const more = { '\u3002': '.', '\uFF61': '.', '\u2014': '-' };

const byTarget = new Map();
for (const [character, target] of Object.entries({ ...confusables, ...more })) {
  const isTried =
    !isAscii(character) && !/[\p{M}\p{Extended_Pictographic}]/u.test(character) && [...character].length === 1;
  if (
    !isTried ||
    !isListed(character) ||
    target.length !== 1 ||
    !isAscii(target) ||
    /^[!-~]$/.test(character.normalize('NFKC'))
  )
    continue;
  byTarget.set(target, [...(byTarget.get(target) ?? []), character.codePointAt(0)]);
}
const lines = [...byTarget]
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(
    ([target, codes]) =>
      `${target} ${codes
        .toSorted((a, b) => a - b)
        .map((code) => code.toString(16))
        .join(' ')}`,
  );
const text = `// Written by \`node scripts/skeletons.mjs\`.

/** Each line: an ASCII character, and the code points drawn like it, in hexadecimal. Source: Unicode confusables (UTS #39). */
export const skeletonLines = String.raw\`
${lines.join('\n').replaceAll('`', '${"`"}')}
\`;
`;
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  console.error('Run `node scripts/skeletons.mjs`: src/platform/text/skeletons.ts is not what it writes.');
  process.exitCode = 1;
}
